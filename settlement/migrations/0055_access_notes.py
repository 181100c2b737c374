"""What the web process notes cannot be taken for a log-in or a changed password any more.

Both are in `settlement_securityevent`, which triggers alone write. Notes of before stay, unread.
"""

from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("settlement", "0054_tokens_by_proof")]

    operations = [
        migrations.AlterField(
            "accessnote",
            "what",
            models.CharField(
                choices=[
                    ("logged_out", "Logged out"),
                    ("failed", "Wrong password"),
                    ("locked", "Locked after wrong passwords"),
                    ("ended", "Log-in ended"),
                    ("refused", "Act refused"),
                    ("exported", "Exported a report"),
                    ("came_from", "Address, as the web process said"),
                ],
                max_length=20,
            ),
        ),
        AddConstraintNotValid(
            "accessnote",
            models.CheckConstraint(
                condition=models.Q(
                    what__in=(
                        *("logged_out", "failed", "locked", "ended", "refused", "exported"),
                        "came_from",
                    )
                ),
                name="access_note_is_of_the_web",
            ),
        ),
    ]
