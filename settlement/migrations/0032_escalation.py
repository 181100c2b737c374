"""Whom a claim that waits is told to, by casino; notifications of set-up."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from tables.migration_steps import SchemaStep

# What was decided already is not told.
_MARK = """
    INSERT INTO settlement_eventmark (source, through, handled)
    SELECT 'set_up_end', coalesce(max(id), 0), '{}'::bigint[] FROM settlement_setupdecision
    ON CONFLICT DO NOTHING
"""


def _mark(_apps: object, editor: Any) -> None:
    editor.execute(_MARK)


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0031_rehearsal"),
    ]

    operations = [
        SchemaStep(
            migrations.AddField(
                model_name="notification",
                name="casino",
                field=models.ForeignKey(
                    db_index=False,
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="+",
                    to="tables.casino",
                ),
            ),
            migrations.AlterField(
                model_name="setupproposal",
                name="kind",
                field=models.CharField(
                    choices=[
                        ("invite", "invite somebody"),
                        ("give_role", "give a role"),
                        ("unlock", "let somebody log in again"),
                        ("reset_factors", "reset somebody’s second factors"),
                        ("second_manager", "change the amount above which two managers confirm"),
                        ("signatures", "change which acts are signed"),
                        ("missed_rounds", "change how many missed rounds one person credits"),
                        ("terms_factor", "change the factor from which figures are typed again"),
                        ("variance_limit", "change the variance that opens a finding"),
                        ("idle_limit", "change after how long the screen of a role locks"),
                        ("day_starts", "change the start of the gaming day"),
                        ("jurisdiction", "choose the jurisdiction pack"),
                        ("open_unrehearsed", "open the casino without a rehearsal"),
                        ("escalation", "change whom a claim that waits is told to"),
                    ],
                    max_length=32,
                ),
            ),
            migrations.CreateModel(
                name="EscalationPolicy",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("levels", models.CharField(blank=True, max_length=200)),
                    ("first", models.CharField(max_length=150)),
                    ("second", models.CharField(max_length=150)),
                    ("at", models.DateTimeField()),
                    (
                        "casino",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="tables.casino",
                        ),
                    ),
                ],
                options={
                    "ordering": ["id"],
                    "default_permissions": (),
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                ("levels", ""),
                                (
                                    "levels__regex",
                                    "^[1-9][0-9]{0,3}:(verify|confirm)_claim(,[1-9][0-9]{0,3}:(verify|confirm)_claim){0,4}$",
                                ),
                                _connector="OR",
                            ),
                            name="escalation_levels",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("second", models.F("first")), _negated=True),
                            name="escalation_takes_two_people",
                        ),
                    ],
                },
            ),
        ),
        migrations.RunPython(_mark, migrations.RunPython.noop),
    ]
