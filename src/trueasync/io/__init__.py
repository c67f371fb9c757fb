"""Waiting for the outside world, in functions that look blocking.

output.py   sys.stdout and sys.stderr for each coroutine
"""
