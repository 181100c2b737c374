"""A person's own notifications: the list, the bell's, and what they want to be notified of."""
