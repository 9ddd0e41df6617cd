import './deferred-imported.js';

tell('module');
