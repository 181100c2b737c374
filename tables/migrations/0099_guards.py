"""What the database refuses of the floor, and what it does itself (docs/proof.md)."""

from django.db import migrations

from tables.schema.guards import load

_GUARDS = (
    "refuse_change",
    "alarm_counts_on",
    "alarm_is_cleared_by_its_action",
    "append_only",
    "credentials_end_with_a_move",
    "device_holds",
    "events_of_known_tables",
    "gap_lies_below_what_is_held",
    "key_goes_along",
    "new_key_is_heard",
    "system_stays",
    "tell_what_is_held",
    "watermark_covers_what_is_held",
    "watermark_never_falls",
    "watermark_opens_at_zero",
)


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0001_tables"),
    ]

    operations = [
        load("tables", *_GUARDS),
    ]
