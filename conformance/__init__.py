"""The conformance kit: does a table unit, or a console, keep the wire protocol?

Shares no code with the console or its unit; the standard library, paho-mqtt and the JSON Schemas in
docs/protocol are all it needs, as a vendor has them. It plays console against any unit and unit
against any console, over any broker, and names each clause of docs/protocol.md that does not hold.

- `clauses`: every clause, whom it binds, what the kit does about it and what people look at
- `wire`, `schemas`: bytes and forms of messages, read as strictly as the protocol is written
- `line`: a connection to the broker, and the log of all that is said on it
- `report`: what was seen of each clause, for people and for machines
- `scene`: something that is asked of whatever is under test
- `against_unit`: the kit as the console
- `against_console`: the kit as a unit
"""
