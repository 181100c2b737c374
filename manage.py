#!/usr/bin/env python
"""Entry point of every management command of the console."""

import os
import runpy
import sys
from importlib.util import find_spec


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # It brings a database of its own where none is named; the production image leaves it out.
    if sys.argv[1:2] == ["simulate"] and find_spec("simulation"):
        del sys.argv[1]
        runpy.run_module("simulation", run_name="__main__")
        return
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
