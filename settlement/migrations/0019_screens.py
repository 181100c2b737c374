"""A permission of its own for screens."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0018_screen_locks"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="setupchange",
            options={
                "default_permissions": (),
                "ordering": ["-id"],
                "permissions": [
                    ("set_up_casino", "Set up casinos, jackpot systems and tables"),
                    ("administer_people", "Invite people, lock them, propose their roles"),
                    ("view_set_up", "See who may do what, and every change of set-up"),
                    ("propose_set_up", "Propose limits and the start of the day"),
                    (
                        "manage_screens",
                        "Pair screens, put up slides, choose their look",
                    ),
                    ("second_set_up", "Agree to roles, limits and the start of the day"),
                ],
            },
        ),
    ]
