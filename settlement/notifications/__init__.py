"""Notifications: what people are notified of, in the page, by mail and by push, and when not."""
