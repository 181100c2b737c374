"""A casino may open without a rehearsal where two people decide so."""

from typing import Any

from django.db import migrations, models


def no_system_turns_into_one(apps: Any, _editor: Any) -> None:
    """A system that pays money and is called so would be a rehearsal from here on."""
    systems = apps.get_model("tables", "JackpotSystem")._base_manager
    rows = systems.filter(code__startswith="rehearsal").values_list("code", flat=True)
    codes = [code for code in rows if f"{code}-".startswith("rehearsal-")]
    if codes:
        raise RuntimeError(
            f"The jackpot system {', '.join(sorted(codes))} has the code of a rehearsal, and would"
            " be one after this upgrade: none of its money would count. Nothing was changed. Stay"
            " on the version before, and ask technical support."
        )


class Migration(migrations.Migration):
    dependencies = [("settlement", "0030_log_in_provider")]

    operations = [
        migrations.RunPython(no_system_turns_into_one, migrations.RunPython.noop),
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
                ],
                max_length=32,
            ),
        ),
    ]
