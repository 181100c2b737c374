"""Reports as data, and their exports: definitions, catalogue, formats, jobs, manifest."""
