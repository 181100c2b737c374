"""The audit trail: who, about what and from where beside each record, and its order by time."""

from django.db import migrations, models
from django.db.models.functions import Coalesce, Left, Now

from tables.migration_steps import in_one_step


def _address():
    setting = models.Func(
        models.Value("jackpot.address"), models.Value(True), function="current_setting"
    )
    return models.CharField(max_length=45, db_default=Left(Coalesce(setting, models.Value("")), 45))


def _index(model, name, *columns):
    return migrations.AddIndex(
        model_name=model, index=models.Index(*map(models.F, columns), name=name)
    )


class Migration(migrations.Migration):
    dependencies = [("settlement", "0014_signatures")]

    operations = in_one_step(
        migrations.AddField("record", "at", models.DateTimeField(db_default=Now())),
        migrations.AddField("record", "by", models.CharField(db_default="", max_length=310)),
        migrations.AddField("record", "subject", models.CharField(db_default="", max_length=200)),
        migrations.AddField("record", "address", _address()),
        migrations.AddField("setupchange", "address", _address()),
        _index("record", "records_by_time", "at", "id"),
        _index("record", "records_by_person", "by", "at"),
        _index("record", "records_by_subject", "subject", "at"),
        _index("securityevent", "security_events_by_time", "at", "id"),
        _index("setupchange", "changes_by_time", "at", "id"),
    )
