"""Demo installation: the private servers and processes of `make demo` and of the tests.

Nothing of the console depends on this package; production runs without it.
"""
