"""The command line: `trueasync run program.py`.

main.py     what was asked for
program.py  running a program as python does, as the main coroutine
"""
