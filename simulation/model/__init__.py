"""Receipts, eras, leases and takeover in TLA+: checked by TLC, replayed against the product."""
