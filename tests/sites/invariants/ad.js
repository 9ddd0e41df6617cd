// It would count, and show nothing.
self.counted = 1;
