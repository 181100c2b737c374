"""Settings of log-ins: limits of wrong passwords, and the log-in provider (OpenID Connect)."""

import json
from typing import Any

import environ

env = environ.Env()
# Wrong passwords within a quarter of an hour, beside five of one name at one address.
LOGIN_FAILURES_OF_NAME = env.int("LOGIN_FAILURES_OF_NAME", default=15)  # at all addresses
LOGIN_FAILURES_OF_ADDRESS = env.int("LOGIN_FAILURES_OF_ADDRESS", default=20)  # of all names
TOKEN_DAYS = env.int("TOKEN_DAYS", default=366)  # how long an access token holds at most
# The provider; its secret is for the worker alone.
OIDC_ISSUER = env("OIDC_ISSUER", default="")  # none: nobody logs in by one
OIDC_NAME = env("OIDC_NAME", default="your organisation")  # "Log in with ..."
OIDC_CLIENT_ID = env("OIDC_CLIENT_ID", default="")
OIDC_CLIENT_SECRET = env("OIDC_CLIENT_SECRET", default="")
OIDC_CLIENT_SECRET_FILE = env("OIDC_CLIENT_SECRET_FILE", default="")
OIDC_SCOPES = env("OIDC_SCOPES", default="openid")
OIDC_PERSON_CLAIM = env("OIDC_PERSON_CLAIM", default="sub")  # by what a person is known for good
OIDC_GROUPS_CLAIM = env("OIDC_GROUPS_CLAIM", default="groups")
# By group the roles that need it: {"jackpot-cage": "Cashier@harbour"}; without @: in every casino.
OIDC_ROLES: dict[str, Any] = json.loads(env("OIDC_ROLES", default="") or "{}")
# What of `amr` or `acr` counts as the second factor; none: the console asks for its own.
OIDC_FACTOR_AMR = env.list("OIDC_FACTOR_AMR", default=[])
OIDC_FACTOR_ACR = env.list("OIDC_FACTOR_ACR", default=[])
OIDC_ANEW = env.bool("OIDC_ANEW", default=False)  # each log-in asks there, too
OIDC_CLOCK_S = env.int("OIDC_CLOCK_S", default=60)  # how far two clocks may differ
PASSWORD_LOG_IN = env.bool("PASSWORD_LOG_IN", default=True)  # off: by the provider alone

__all__ = [
    "LOGIN_FAILURES_OF_ADDRESS",
    "LOGIN_FAILURES_OF_NAME",
    "OIDC_ANEW",
    "OIDC_CLIENT_ID",
    "OIDC_CLIENT_SECRET",
    "OIDC_CLIENT_SECRET_FILE",
    "OIDC_CLOCK_S",
    "OIDC_FACTOR_ACR",
    "OIDC_FACTOR_AMR",
    "OIDC_GROUPS_CLAIM",
    "OIDC_ISSUER",
    "OIDC_NAME",
    "OIDC_PERSON_CLAIM",
    "OIDC_ROLES",
    "OIDC_SCOPES",
    "PASSWORD_LOG_IN",
    "TOKEN_DAYS",
]
