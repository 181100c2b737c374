"""Mutants: small mistakes put into the code that decides money, to see whether a test fails.

`make mutants ARGS="--part rules --sample 200 --seed 7"`; docs/mutants.md says what is measured.
"""
