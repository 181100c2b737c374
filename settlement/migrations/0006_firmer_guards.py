"""Guards of claims and commands read the real tables, whatever a session calls its own."""

from django.db import migrations

from tables.guards import pin_search_path


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0005_acts_behind_commands"),
        ("tables", "0006_firmer_guards"),
    ]

    operations = [
        pin_search_path(
            "act_takes_two_people",
            "payout_is_confirmed",
            "set_aside_by_two_people",
            "command_has_its_acts",
        ),
    ]
