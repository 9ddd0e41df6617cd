tell('imported');
