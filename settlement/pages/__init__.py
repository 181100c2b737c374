"""The console's pages: thin views over the services, by the same rooms."""
