"""The MQTT connection: the only folder that knows the MQTT library."""
