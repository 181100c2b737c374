"""Reconciliation, quarantine and skipped entries."""
