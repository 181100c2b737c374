"""What each kind of entry does: events of devices and decisions of people, one function a kind."""
