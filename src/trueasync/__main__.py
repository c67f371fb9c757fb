"""`python -m trueasync program.py`: the same as `trueasync run program.py`."""

from trueasync.cli.main import main

if __name__ == "__main__":
    main()
