"""People of the house: the list, one person, what changes of a log-in, lists of guests."""
