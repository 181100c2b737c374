"""Words in the language of who reads them: labels, states, alarms, rules, countries."""
