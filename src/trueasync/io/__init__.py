"""Waiting for the outside world, in functions that look blocking.

handle.py   what all open things have in common    turns.py   one reader, one writer at a time
stream.py   bytes in order, whole or in lines      ahead.py   bytes nobody has asked for yet
output.py   sys.stdout and sys.stderr for each coroutine
process.py  a program that runs beside us      run_process.py  from its start to its end
exchange.py what it reads and writes
A module is compiled if a .pxd stands beside it.
"""
