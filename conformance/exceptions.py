"""What differs from the standard library under the patches, each with its reason.

A key is MODULE.CLASS.TEST, or the beginning of one; a value is why it stays so.
Keys that no test fails any more are reported, so that the list only shrinks.
"""

# In coroutines, threads kept.
PATCHED: dict[str, str] = {}
