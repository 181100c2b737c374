"""Promises about the order: chain, books, inbox, receipts, displays, transfers of tables."""
