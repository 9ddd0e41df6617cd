window.defined.push(document.currentScript.src.split('?')[1]); Math.random();
