"""The pure fold: from one order of entries to books, hits and money. No I/O, no clock."""
