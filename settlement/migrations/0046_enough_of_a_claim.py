"""How much of each kind a claim may have: disputes, holds, notes, reviews, files, identifications.

One person opens a stop and adds what is gathered, so one person could fill a claim without end.
Asked of everybody, the owner too; two at once meet at the claim's row.
"""

from django.db import migrations

# As `settlement.enough` has them.
_OF_KINDS = {"dispute": 25, "hold_claim": 25}
_OF_TABLES = {
    "settlement_note": 500,
    "settlement_footage": 100,
    "settlement_attachment": 40,
    "settlement_identification": 200,
}
_FUNCTION = """
CREATE FUNCTION enough_of_a_claim() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    so_far bigint;
    of_kind text := coalesce(TG_ARGV[1], '');
BEGIN
    PERFORM FROM settlement_claim WHERE id = NEW.claim_id FOR NO KEY UPDATE;
    EXECUTE format(
        'SELECT count(*) FROM %s WHERE claim_id = $1 AND ($2 = '''' OR %s = $2)',
        TG_RELID::regclass, CASE of_kind WHEN '' THEN '''''' ELSE 'kind' END
    ) INTO so_far USING NEW.claim_id, of_kind;
    IF so_far >= TG_ARGV[0]::bigint THEN
        RAISE EXCEPTION 'enough: claim % has % of %', NEW.claim_id, so_far,
            coalesce(nullif(of_kind, ''), TG_TABLE_NAME)
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
"""


def _trigger(name: str, table: str, most: int, when: str = "", kind: str = "") -> migrations.RunSQL:
    said = f"'{most}'" + (f", '{kind}'" if kind else "")
    return migrations.RunSQL(
        f"CREATE TRIGGER {name} BEFORE INSERT ON {table} FOR EACH ROW {when}"
        f" EXECUTE FUNCTION enough_of_a_claim({said});"
        f" ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name};",
        f"DROP TRIGGER {name} ON {table};",
    )


class Migration(migrations.Migration):
    dependencies = [("settlement", "0045_acts_happen_now")]

    operations = [
        migrations.RunSQL(_FUNCTION, "DROP FUNCTION enough_of_a_claim();"),
        *(_trigger("enough_of_a_claim", table, most) for table, most in _OF_TABLES.items()),
        *(
            _trigger(
                f"enough_of_a_{kind}", "settlement_act", most, f"WHEN (NEW.kind = '{kind}')", kind
            )
            for kind, most in _OF_KINDS.items()
        ),
    ]
