"""Wire protocol 1: message types, topics, signature, decoding, and its documents for vendors."""
