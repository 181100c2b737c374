"""Rehearsals: a casino proves from press to paid that all works, and nothing of it is money."""
