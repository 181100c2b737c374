"""Settings of devices: their accounts at the broker, their authority, and the keys of units."""

import environ

env = environ.Env()
# The broker's accounts, written by the worker as files of Mosquitto; empty: kept by hand. The
# command lets the broker read them again; without one it watches the file `version`.
BROKER_ACCOUNTS_DIR = env("BROKER_ACCOUNTS_DIR", default="")
BROKER_RELOAD_COMMAND = env("BROKER_RELOAD_COMMAND", default="")
# Where units find the broker: with a password, and with a certificate; and what they trust it by.
UNIT_BROKER_URL = env("UNIT_BROKER_URL", default="")  # mqtts://broker.example.com:8883
UNIT_BROKER_CERTIFICATE_URL = env("UNIT_BROKER_CERTIFICATE_URL", default="")  # ...:8884
UNIT_BROKER_CA = env("UNIT_BROKER_CA", default="")  # a file
# The authority that signs certificates of devices (manage.py provision ca), and what encrypts it.
DEVICE_CA_DIR = env("DEVICE_CA_DIR", default="")
DEVICE_CA_SECRET = env("DEVICE_CA_SECRET", default="")
DEVICE_CA_SECRET_FILE = env("DEVICE_CA_SECRET_FILE", default="")
# Seals the keys of units, for who issues and who checks them: tables/keys.py.
UNIT_KEYS_KEY = env("UNIT_KEYS_KEY", default="")
UNIT_KEYS_KEY_FILE = env("UNIT_KEYS_KEY_FILE", default="")
# Of one unit, with a reserve of fifty minutes' worth; more waits at the unit. 0: no limit.
UNIT_EVENTS_PER_MINUTE = env.int("UNIT_EVENTS_PER_MINUTE", default=600)

__all__ = [
    "BROKER_ACCOUNTS_DIR",
    "BROKER_RELOAD_COMMAND",
    "DEVICE_CA_DIR",
    "DEVICE_CA_SECRET",
    "DEVICE_CA_SECRET_FILE",
    "UNIT_BROKER_CA",
    "UNIT_BROKER_CERTIFICATE_URL",
    "UNIT_BROKER_URL",
    "UNIT_EVENTS_PER_MINUTE",
    "UNIT_KEYS_KEY",
    "UNIT_KEYS_KEY_FILE",
]
