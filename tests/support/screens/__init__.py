"""What screens show, for tests."""
