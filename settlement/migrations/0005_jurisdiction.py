"""What the law asks of a payment."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("settlement", "0004_reports")]

    operations = []
