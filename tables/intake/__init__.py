"""Intake: from the broker into the inbox, exactly once; gaps, redeliveries, quarantine, eras."""
