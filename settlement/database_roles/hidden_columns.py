"""Columns that a role does not read, though it reads their table."""

from __future__ import annotations

# Who a player is: no process reads it from the table, nor the key that seals it in bundles.
_PERSONAL = (
    *("name", "born", "document", "document_number", "tax_number", "address", "country"),
    *("note", "key"),
)

_EXCLUDED = ("name", "born", "document", "document_number", "key")

# Columns that a role does not read: password hashes, the keys of units and displays, players.
HIDDEN: dict[tuple[str, str], tuple[str, ...]] = {
    ("worker", "auth_user"): ("password",),
    ("reporting", "auth_user"): ("password",),
    ("reporting", "tables_gamingtable"): ("display_key",),
    **{(role, "settlement_identification"): _PERSONAL for role in ("worker", "web", "reporting")},
    **{(role, "settlement_exclusion"): _EXCLUDED for role in ("worker", "web", "reporting")},
    **{(role, "settlement_exclusionline"): ("body",) for role in ("worker", "web", "reporting")},
    **{
        (role, "tables_devicecredential"): ("password_hash", "key_digest")
        for role in ("intake", "poster", "web", "reporting")
    },
    **{(role, "settlement_attachment"): ("content",) for role in ("worker", "reporting")},
    **{(role, "settlement_filingfile"): ("content",) for role in ("worker", "web", "reporting")},
    **{(role, "settlement_secondfactor"): ("material",) for role in ("worker", "reporting")},
    **{(role, "settlement_pin"): ("material", "seal") for role in ("worker", "reporting")},
    **{
        (role, "settlement_webhookendpoint"): ("secret", "old_secret")
        for role in ("web", "reporting")
    },
    **{
        (role, table): ("digest",)
        for role in ("poster", "worker", "reporting")
        for table in ("jackpot_screen", "jackpot_screenrequest")
    },
    **{
        (role, table): ("digest",)
        for role in ("worker", "reporting")
        for table in (
            "settlement_recoverycode",
            "settlement_enrolmentcode",
            "settlement_passwordcode",
        )
    },
    ("reporting", "settlement_passwordlink"): ("digest", "sealed", "mailed_digest"),
    ("reporting", "settlement_mailchange"): ("digest", "sealed", "mailed_digest"),
    ("reporting", "settlement_loginprovider"): ("sealed",),
    ("reporting", "settlement_providerlogin"): (
        *("digest", "sealed", "answer", "answer_digest", "subject", "address"),
    ),
    ("reporting", "settlement_providerlink"): ("subject",),
}
