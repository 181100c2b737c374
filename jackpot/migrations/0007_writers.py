from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0006_firmer_guards"),
    ]

    operations = [
        migrations.CreateModel(
            name="Writer",
            fields=[
                ("name", models.CharField(max_length=100, primary_key=True, serialize=False)),
                ("until", models.DateTimeField()),
            ],
        ),
    ]
