"""What the passwords of roles were when they were given."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("settlement", "0051_log_ins_by_proof")]

    operations = [
        migrations.CreateModel(
            name="RoleMark",
            fields=[
                ("role", models.CharField(max_length=63, primary_key=True, serialize=False)),
                ("mark", models.CharField(max_length=64)),
                ("at", models.DateTimeField()),
            ],
            options={"default_permissions": ()},
        ),
    ]
