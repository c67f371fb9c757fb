"""Benchmarks of trueasync beside its peers: `python -m benchmarks`, from the checkout.

`scenarios/` says what is measured and what must hold, `runtimes/` how each runtime does it.
"""
