"""What displays and streams show, and the tasks that keep them current."""
