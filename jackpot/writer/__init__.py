"""The one writer of a system: numbering, batches, leases, receipts, queued commands."""
