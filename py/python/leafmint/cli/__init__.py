"""The command `leafmint`: decodes and mints ids, and shows what a store and a holder have leased.

Exit codes: 0 for success, 1 if there is something to fix, or if the store or the holder cannot serve, 2 for a wrong
configuration or usage.
"""

from .program import main

__all__ = ["main"]
