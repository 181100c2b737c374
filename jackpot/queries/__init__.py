"""Questions to the committed order: payout bounds, dry runs, hit order, periods."""
