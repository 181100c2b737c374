"""Devices and how they log in at the broker: credentials, the small CA, accounts, health."""
