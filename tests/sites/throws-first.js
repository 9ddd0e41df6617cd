throw new Error('first of all');
