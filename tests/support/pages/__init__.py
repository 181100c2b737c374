"""Pages and screens as people see them: walks, widths, contrasts, every address."""
