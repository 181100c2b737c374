"""Posted terms: notice, drafts, proposals, suspension and closing."""
