"""Tests of the log: tree, checkpoints, keys."""
