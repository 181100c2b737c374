"""Notifications: what people are told of, in the page, by mail and by push, and when not."""
