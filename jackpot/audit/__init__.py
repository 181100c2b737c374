"""Replay, checkpoints and projections: the recorded order held against what is stored."""
