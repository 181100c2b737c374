"""A watermark never falls: units forget what it covers."""

from django.db import migrations

from tables.guards import pin_search_path

_WATERMARK = """
CREATE FUNCTION watermark_never_falls() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the watermark of boot % falls from %/% to %/%', OLD.boot,
        OLD.committed_seq, OLD.last_seq, NEW.committed_seq, NEW.last_seq
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;
CREATE TRIGGER watermark_never_falls BEFORE UPDATE ON tables_stream FOR EACH ROW
    WHEN (NEW.committed_seq < OLD.committed_seq OR NEW.last_seq < OLD.last_seq)
    EXECUTE FUNCTION watermark_never_falls();
ALTER TABLE tables_stream ENABLE ALWAYS TRIGGER watermark_never_falls;
"""
_WATERMARK_AWAY = """
DROP TRIGGER watermark_never_falls ON tables_stream;
DROP FUNCTION watermark_never_falls();
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0005_eras")]

    operations = [
        migrations.RunSQL(_WATERMARK, _WATERMARK_AWAY),
        pin_search_path("refuse_change", "watermark_never_falls"),
    ]
