"""Handing money over: payments, the cage, slips, the payout register."""
