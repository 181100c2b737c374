"""Tests of the doctor: each check is tried where it is good, and where it is not."""
