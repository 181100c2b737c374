"""What the database refuses of the order and the ledger (docs/proof.md)."""

from django.db import migrations

from tables.schema.guards import load

_GUARDS = (
    "account_opens_at_zero",
    "account_stays",
    "append_only",
    "balances_move_by_transfers",
    "command_takes_the_next_number",
    "head_is_owed",
    "head_moves_behind_whole_rows",
    "head_only_rises",
    "nothing_beyond_the_head",
)


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0001_tables"),
        ("tables", "0099_guards"),
    ]

    operations = [
        load("jackpot", *_GUARDS),
    ]
