"""Append-only tables: triggers that refuse to change or remove what was recorded.

Used in migrations only. `CREATE_FUNCTION` stands in the first migration of this app that
needs it; a migration of another app depends on `("tables", "0002_append_only")`.
"""

from django.db.migrations import RunSQL

CREATE_FUNCTION = RunSQL(
    sql="""
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'table % is append-only: % refused', TG_TABLE_NAME, TG_OP
            USING ERRCODE = 'restrict_violation',
                  HINT = 'What was recorded stands; record a correction as a new row.';
    END
    $$;
    """,
    reverse_sql="DROP FUNCTION refuse_change();",
)


def append_only(table: str) -> RunSQL:
    """Refuse UPDATE and DELETE of any row and TRUNCATE of `table`; reversible."""
    # A row trigger never sees TRUNCATE, so that has a statement trigger of its own. Both are
    # ENABLE ALWAYS: a session that says session_replication_role = replica is refused too.
    return RunSQL(
        sql=f"""
        CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON {table}
            FOR EACH ROW EXECUTE FUNCTION refuse_change();
        CREATE TRIGGER append_only_table BEFORE TRUNCATE ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
        ALTER TABLE {table} ENABLE ALWAYS TRIGGER append_only_rows;
        ALTER TABLE {table} ENABLE ALWAYS TRIGGER append_only_table;
        """,
        reverse_sql=f"""
        DROP TRIGGER append_only_rows ON {table};
        DROP TRIGGER append_only_table ON {table};
        """,
    )


def pin_search_path(*functions: str) -> RunSQL:
    """Guards that read the real tables: a temporary table of the same name would come first.

    CREATE OR REPLACE takes it off again: say it anew in the migration that does so.
    """
    return RunSQL(
        sql="".join(
            f"ALTER FUNCTION {name}() SET search_path = public, pg_temp;" for name in functions
        ),
        reverse_sql="".join(f"ALTER FUNCTION {name}() RESET search_path;" for name in functions),
    )
