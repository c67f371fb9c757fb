"""Structured concurrency.

iterate.py  one function over many items, at the same time
"""
