"""Lists of excluded persons: importing, looking, ending."""
