"""Measurements, each a command: medians and tails, against a limit in the same run."""
