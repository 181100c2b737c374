"""The checks of a finished world, each a plain reading of the order beside what the world did."""
