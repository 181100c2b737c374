"""The console's HTTP API: thin views over the same services as the pages."""
