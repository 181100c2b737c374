"""What every room uses: errors, typed texts, words, gaming days, report queries, middleware."""
