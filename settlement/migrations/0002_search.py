"""Tables and people are looked for by the beginnings of words (settlement/search/finders.py)."""

from django.conf import settings
from django.db import migrations

_WORDS = "to_tsvector('simple'::regconfig, translate({columns}, '-_./@+', '      '))"
_INDEXES = {
    "tables_by_words": ("tables_gamingtable", ("code", "name")),
    "people_by_words": ("auth_user", ("username", "first_name", "last_name")),
}


def make(_apps, schema_editor):
    for name, (table, columns) in _INDEXES.items():
        words = _WORDS.format(columns=" || ' ' || ".join(columns))
        schema_editor.execute(f"CREATE INDEX {name} ON {table} USING gin ({words})")


def take_away(_apps, schema_editor):
    for name in _INDEXES:
        schema_editor.execute(f"DROP INDEX {name}")


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0001_tables"),
        ("tables", "0001_tables"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [migrations.RunPython(make, take_away)]
