"""Rows on which decisions rest are recorded in full when they are written. Used in migrations only.

A trigger of each table writes a row of `settlement_record`; the next command of the system takes
all that wait into its basis (`settlement.models_records`). What such a table gets later, for
instance a new column, is recorded from then on without a further word.
"""

from collections.abc import Sequence

from django.db.migrations import RunSQL

OF_SYSTEM = "SELECT NEW.system_id"
OF_CLAIM = "SELECT k.system_id FROM settlement_claim k WHERE k.id = NEW.claim_id"
OF_TABLE = "SELECT g.system_id FROM tables_gamingtable g WHERE g.id = NEW.table_id"
OF_CASINO = "SELECT s.id FROM tables_jackpotsystem s WHERE s.casino_id = NEW.casino_id"


def recorded(
    table: str,
    systems: str,
    *,
    hidden: Sequence[str] = (),
    more: str = "'{}'::jsonb",
    event: str = "INSERT",
    when: str = "true",
    already: str = "true",
) -> RunSQL:
    """Record each row of a table for the systems of a query over NEW; reversible.

    `hidden`: columns that stay out; `more`: a JSON object that says something in their place.
    `when`: which rows; `already`: which of those that are there before, recorded as they are.
    """
    left_out = ", ".join(hidden)
    without = "".join(f"NEW.{column} := NULL; " for column in hidden)  # a file is no text
    said = f"((to_jsonb(NEW) - '{{{left_out}}}'::text[]) || %s)::text"
    return RunSQL(
        f"""
        CREATE FUNCTION record_{table}() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = public, pg_temp SET timezone = 'UTC' SET bytea_output = 'hex' AS $$
        DECLARE more jsonb := {more};
        BEGIN
            {without}
            INSERT INTO settlement_record (system_id, source, row, said)
            SELECT of.id, TG_TABLE_NAME, NEW.id, {said % "more"} FROM ({systems}) AS of (id);
            RETURN NULL;
        END
        $$;
        CREATE TRIGGER is_recorded AFTER {event} ON {table}
            FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION record_{table}();
        ALTER TABLE {table} ENABLE ALWAYS TRIGGER is_recorded;

        SET LOCAL timezone = 'UTC';
        INSERT INTO settlement_record (system_id, source, row, said)
        SELECT of.id, '{table}', NEW.id, {said % more}
        FROM {table} AS NEW CROSS JOIN LATERAL ({systems}) AS of (id)
        WHERE {already} ORDER BY NEW.id;
        """,  # noqa: S608 - of constants
        f"DROP TRIGGER is_recorded ON {table}; DROP FUNCTION record_{table}();",
    )
