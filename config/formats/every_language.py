"""Typed dates, the same in every language; the marks of figures stand in each language's own."""

DATE_INPUT_FORMATS = ["%Y-%m-%d"]
DATETIME_INPUT_FORMATS = ["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M"]
TIME_INPUT_FORMATS = ["%H:%M", "%H:%M:%S"]
