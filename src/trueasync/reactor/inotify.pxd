# All of it is for plain Python.
