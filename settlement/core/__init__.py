"""What every room uses: errors, labels, gaming days, report queries, middleware."""
