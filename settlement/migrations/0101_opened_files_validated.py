"""Every note of the security log is of a kind that it takes."""

from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("settlement", "0100_opened_files")]

    operations = [ValidateConstraint("accessnote", "access_note_is_of_the_web")]
