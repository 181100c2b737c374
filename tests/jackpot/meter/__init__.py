"""Tests of the meter in public."""
