"""The command `python -m leafmint`, the same as `leafmint`."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
