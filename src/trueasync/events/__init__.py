"""The contract between "who waits" and "what happens".

event.py    Event (start, stop, fire, replay, info) and Listener, who is told
"""
