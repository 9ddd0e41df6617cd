undefinedHere();
