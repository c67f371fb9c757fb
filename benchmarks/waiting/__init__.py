"""The workloads in which coroutines wait for each other, one module for each runtime.

They are part of the runtimes: `runtimes/NAME.py` takes its functions from here.
"""
