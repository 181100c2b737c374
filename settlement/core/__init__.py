"""What every room uses: errors, typed texts, labels, gaming days, report queries, middleware."""
