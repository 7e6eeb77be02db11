"""Run the command line as ``python -m rolltheory``."""

from rolltheory.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    main(prog_name="rolltheory")
