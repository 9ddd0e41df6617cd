import '/~/slow/400/many-late.js?first';
