window.outside = Math.random();
setTimeout(function later() { if (document.title === 'blocked') document.title = 'done'; }, 20);
