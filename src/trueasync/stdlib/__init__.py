"""The standard library, made to wait politely inside coroutines.

patching.py  patch, unpatch, patched: what is put where, and taken back
imports.py   doing something when a module has been imported
unbound.py   what stands in the place of a function of C

Each of the other files patches the module it is named after:
select.py, selectors.py, with waiting.py
socket.py, with watched.py
ssl.py
os.py, with children.py
subprocess.py, with pipes.py
time.py

A replacement asks one question:
does a coroutine of ours run in this thread? If not, the original runs.
"""
