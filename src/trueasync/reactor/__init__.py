"""What the system reports. Knows no scheduler.

base.py     what anyone may ask of a reactor: now, poll, timer, close
reactor.py  the libuv loop         timer.py   fires once, after a delay
heap.py     timers by deadline     signals.py wakes the loop for Python's signal handlers
"""
