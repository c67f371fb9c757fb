"""The contract between "who waits" and "what happens".

change.py   Change: what happened to a file
event.py    Event (start, stop, fire, replay, info) and Listener, who is told
"""
