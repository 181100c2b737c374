"""What processes tell whoever watches them: health, metrics, log lines as JSON, spans."""
