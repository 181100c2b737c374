"""What is known of tables from what they sent: clocks, test mode, boot counters."""
