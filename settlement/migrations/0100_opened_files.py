"""The security log takes note of who opened a file of a claim."""

from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models

_WHATS = (
    *("logged_out", "failed", "locked", "ended", "refused", "exported"),
    *("password_asked", "came_from", "new_device", "file_opened"),
)


class Migration(migrations.Migration):
    dependencies = [("settlement", "0099_guards")]

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
                    ("refused", "Action refused"),
                    ("exported", "Exported a report"),
                    ("password_asked", "A new password asked for by mail"),
                    ("came_from", "Address, as the web process said"),
                    ("new_device", "New device"),
                    ("file_opened", "Opened a file of a claim"),
                ],
                max_length=20,
            ),
        ),
        migrations.RemoveConstraint("accessnote", "access_note_is_of_the_web"),
        AddConstraintNotValid(
            "accessnote",
            models.CheckConstraint(
                condition=models.Q(what__in=_WHATS), name="access_note_is_of_the_web"
            ),
        ),
    ]
