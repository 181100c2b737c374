"""Archives: what verifier and reports read, as signed files; and how long things stay."""
