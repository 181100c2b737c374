"""The database says when something was done: no process gives an act another time than now.

Not asked of the owner, who replays and simulates. A slip bears the time that is printed on it, so
that one is held against the clock.
"""

from django.db import migrations

AT = (
    "settlement_act",
    "settlement_checkanswer",
    "settlement_asideproposal",
    "settlement_proposal",
    "settlement_proposaldecision",
    "settlement_proposalapproval",
    "settlement_retypedfigures",
    "settlement_decktick",
    "settlement_footage",
    "settlement_note",
    "settlement_attachment",
    "settlement_identification",
    "settlement_bundleexport",
    "settlement_ruling",
    "settlement_countersignature",
    "settlement_incident",
    "settlement_incidentend",
    "settlement_reconciliation",
    "jackpot_setaside",
)
OTHERS = {
    "settlement_claim": ("opened_at",),
    "jackpot_command": ("issued_at",),
    "tables_alarm": ("raised_at", "last_at"),
    "tables_alarmclearing": ("at",),
}
_OWNER = """
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NEW;
    END IF;
"""
# Its name comes before those of guards that look at the time.
_NOW = f"""
CREATE FUNCTION acts_happen_now() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    {_OWNER}
    RETURN jsonb_populate_record(NEW, (
        SELECT jsonb_object_agg(name, clock_timestamp()) FROM unnest(TG_ARGV) AS name));
END
$$;
CREATE FUNCTION print_bears_its_time() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    {_OWNER}
    IF NEW.at NOT BETWEEN clock_timestamp() - interval '1 minute'
                      AND clock_timestamp() + interval '1 minute'
    THEN
        RAISE EXCEPTION 'times: a slip is printed now, and not at %', NEW.at
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE FUNCTION payout_bears_the_time_of_its_entry() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    {_OWNER}
    NEW.at := (SELECT e.at FROM jackpot_entry e JOIN settlement_claim k ON k.system_id = e.system_id
               WHERE k.id = NEW.claim_id AND e.seq = NEW.entry_seq);
    RETURN NEW;
END
$$;
CREATE TRIGGER payout_bears_the_time_of_its_entry BEFORE INSERT ON settlement_payout
    FOR EACH ROW EXECUTE FUNCTION payout_bears_the_time_of_its_entry();
ALTER TABLE settlement_payout ENABLE ALWAYS TRIGGER payout_bears_the_time_of_its_entry;
CREATE TRIGGER print_bears_its_time BEFORE INSERT ON settlement_slipprint
    FOR EACH ROW EXECUTE FUNCTION print_bears_its_time();
ALTER TABLE settlement_slipprint ENABLE ALWAYS TRIGGER print_bears_its_time;
-- What a browser reads of its screen; an intake has the time at which a message came.
CREATE TRIGGER acts_happen_now BEFORE INSERT ON tables_displayreading
    FOR EACH ROW WHEN (current_user = 'jackpot_web')
    EXECUTE FUNCTION acts_happen_now('received_at');
ALTER TABLE tables_displayreading ENABLE ALWAYS TRIGGER acts_happen_now;
"""
_GIVEN = """
DROP TRIGGER acts_happen_now ON tables_displayreading;
DROP TRIGGER payout_bears_the_time_of_its_entry ON settlement_payout;
DROP FUNCTION payout_bears_the_time_of_its_entry();
DROP TRIGGER print_bears_its_time ON settlement_slipprint;
DROP FUNCTION print_bears_its_time();
DROP FUNCTION acts_happen_now();
"""


def _by_database(table: str, columns: tuple[str, ...]) -> migrations.RunSQL:
    named = ", ".join(f"'{column}'" for column in columns)
    return migrations.RunSQL(
        f"CREATE TRIGGER acts_happen_now BEFORE INSERT ON {table}"
        f" FOR EACH ROW EXECUTE FUNCTION acts_happen_now({named});"
        f" ALTER TABLE {table} ENABLE ALWAYS TRIGGER acts_happen_now;",
        f"DROP TRIGGER acts_happen_now ON {table};",
    )


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0044_evidence_asked_for"),
        ("jackpot", "0030_wrong_rejections"),
        ("tables", "0016_alarms_append_only"),
    ]

    operations = [
        migrations.RunSQL(_NOW, _GIVEN),
        *(_by_database(table, ("at",)) for table in AT),
        *(_by_database(table, columns) for table, columns in OTHERS.items()),
    ]
