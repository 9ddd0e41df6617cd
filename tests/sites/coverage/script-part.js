say(document.currentScript.src.split('?')[1] + ' ' + (Math.random() < 1));
