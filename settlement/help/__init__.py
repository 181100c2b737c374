"""Help: words and rules from the documents, what each page is for."""
