tell('deferred');
