"""A casino may open without a rehearsal where two people decide so."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("settlement", "0030_log_in_provider")]

    operations = [
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
