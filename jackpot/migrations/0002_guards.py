"""The order, the ledger, blocks, commands, terms and display messages are append-only."""

from django.db import migrations

from tables.guards import append_only


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0001_order_and_ledger"),
        ("tables", "0002_append_only"),
    ]

    operations = [
        append_only("jackpot_entry"),
        append_only("jackpot_transfer"),
        append_only("jackpot_block"),
        append_only("jackpot_command"),
        append_only("jackpot_terms"),
        append_only("jackpot_displaymessage"),
    ]
