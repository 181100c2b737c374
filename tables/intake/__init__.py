"""Intake: from the broker into the inbox, exactly once; keys, quarantine, presence, outbox."""
