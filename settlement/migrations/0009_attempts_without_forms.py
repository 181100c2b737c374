"""What was typed at failed log-ins, passwords among it, is kept no longer."""

from typing import Any

from django.db import migrations


def forget(apps: Any, _editor: Any) -> None:
    apps.get_model("axes", "AccessAttempt").objects.update(get_data="", post_data="")


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0008_set_up"),
        ("axes", "0010_accessattemptexpiration"),
    ]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
