"""The cage, slips and the payout register."""
