"""Posted terms in change: drafts, differences, read-back, suspension and closing."""
