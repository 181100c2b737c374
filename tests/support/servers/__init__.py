"""Servers and processes of the tests: databases, brokers, demos, whoever listens outside."""
