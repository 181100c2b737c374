"""Log-ins that lock: screens, shared tablets, and after how long."""
