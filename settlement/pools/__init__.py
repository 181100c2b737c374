"""Where pools stand, what moved them, the roll-forward, manual adjustments."""
