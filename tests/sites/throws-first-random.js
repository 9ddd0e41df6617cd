Math.random();
