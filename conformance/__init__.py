"""CPython's own tests, unchanged, inside a coroutine under our patches.

`python -m conformance [MODULE …]` runs each module twice, in processes of their own: native,
without us, and patched.
What native does not pass is not ours to pass. The rest is in exceptions.py, with a reason.
"""
