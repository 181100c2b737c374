"""Rows on which decisions rest are recorded as they are written, under the hash of a command.

Each of these tables writes down its rows in full (`settlement/recording.py`). Every command of a
system takes what waits into its basis, a SHA-256 that the order carries with the command. Nobody
else writes records, and nobody gives a basis but the owner, who replays an order.

Claims and cleared alarms, which nobody had to change, are append-only from here on. The console
itself may queue a command that says nothing and takes in what waits.
"""

import django.db.models.deletion
from django.db import migrations, models

from settlement.recording import OF_CASINO, OF_CLAIM, OF_SYSTEM, OF_TABLE, recorded

_OF_PAYOUT = (
    "SELECT k.system_id FROM settlement_payout p JOIN settlement_claim k ON k.id = p.claim_id"
    " WHERE p.id = NEW.payout_id"
)
_OF_PROPOSAL = "SELECT p.system_id FROM settlement_proposal p WHERE p.id = NEW.proposal_id"
_OF_RULING = "SELECT r.system_id FROM settlement_ruling r WHERE r.id = NEW.ruling_id"
_OF_INCIDENT = "SELECT i.system_id FROM settlement_incident i WHERE i.id = NEW.incident_id"
_OF_PLAY = (
    "SELECT g.system_id FROM settlement_staffplay p"
    " JOIN tables_gamingtable g ON g.id = p.table_id WHERE p.id = NEW.play_id"
)
_OF_ALARM = (
    "SELECT s.id FROM tables_jackpotsystem s WHERE s.id = NEW.system_id OR NEW.system_id IS NULL"
)
# The same seal of a player as in dispute bundles (`seals_of_identifications`).
_SEAL = """jsonb_build_object('seal', encode(sha256(convert_to(concat_ws(E'\\n', NEW.key, NEW.seat,
    NEW.name, to_char(NEW.born, 'YYYY-MM-DD'), NEW.document, NEW.document_number, NEW.note),
    'UTF8')), 'hex'))"""

_BASIS = """
CREATE FUNCTION basis_is_not_given() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT pg_has_role(
        current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RAISE EXCEPTION 'basis: command % of system % brings one of its own',
            NEW.number, NEW.system_id USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER basis_is_not_given BEFORE INSERT ON jackpot_command
    FOR EACH ROW WHEN (NEW.basis IS NOT NULL) EXECUTE FUNCTION basis_is_not_given();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER basis_is_not_given;

CREATE FUNCTION basis_takes_in_records() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    digests text;
    instant text := to_char(NEW.issued_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
BEGIN
    WITH taken AS (
        UPDATE settlement_record SET command = NEW.number
        WHERE system_id = NEW.system_id AND command IS NULL RETURNING id, source, said
    )
    SELECT string_agg(
        encode(sha256(convert_to(source || ' ' || said, 'UTF8')), 'hex'), E'\\n' ORDER BY id)
    INTO digests FROM taken;
    NEW.basis := sha256(
        convert_to(concat_ws(E'\\n', instant, digests), 'UTF8'));
    RETURN NEW;
END
$$;
CREATE TRIGGER basis_takes_in_records BEFORE INSERT ON jackpot_command
    FOR EACH ROW WHEN (NEW.basis IS NULL) EXECUTE FUNCTION basis_takes_in_records();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER basis_takes_in_records;

CREATE FUNCTION record_is_taken_in_once() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.command IS NOT NULL OR NEW.command IS NULL
       OR to_jsonb(NEW) - 'command' <> to_jsonb(OLD) - 'command'
    THEN
        RAISE EXCEPTION 'table settlement_record is append-only: % refused', TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER record_is_taken_in_once BEFORE UPDATE OR DELETE ON settlement_record
    FOR EACH ROW EXECUTE FUNCTION record_is_taken_in_once();
ALTER TABLE settlement_record ENABLE ALWAYS TRIGGER record_is_taken_in_once;
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON settlement_record
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE settlement_record ENABLE ALWAYS TRIGGER never_emptied;
"""
_NO_BASIS = """
DROP TRIGGER never_emptied ON settlement_record;
DROP TRIGGER record_is_taken_in_once ON settlement_record;
DROP FUNCTION record_is_taken_in_once();
DROP TRIGGER basis_takes_in_records ON jackpot_command;
DROP FUNCTION basis_takes_in_records();
DROP TRIGGER basis_is_not_given ON jackpot_command;
DROP FUNCTION basis_is_not_given();
"""
# A system that is new begins with what its casino decided before.
_NEW_SYSTEM = """
CREATE FUNCTION records_of_the_casino() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
BEGIN
    INSERT INTO settlement_record (system_id, source, row, said)
    SELECT NEW.id, source, row, said FROM (
        SELECT 'settlement_secondmanagerlimit' AS source, id AS row, to_jsonb(l)::text AS said
        FROM settlement_secondmanagerlimit l WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_missedroundslimit', id, to_jsonb(l)::text
        FROM settlement_missedroundslimit l WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_termsfactor', id, to_jsonb(f)::text
        FROM settlement_termsfactor f WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_handover', id, to_jsonb(h)::text
        FROM settlement_handover h WHERE casino_id = NEW.casino_id
    ) AS decided ORDER BY source, row;
    RETURN NULL;
END
$$;
CREATE TRIGGER records_of_the_casino AFTER INSERT ON tables_jackpotsystem
    FOR EACH ROW EXECUTE FUNCTION records_of_the_casino();
ALTER TABLE tables_jackpotsystem ENABLE ALWAYS TRIGGER records_of_the_casino;
"""
# A lock (SELECT ... FOR UPDATE) is no update: what is locked may well be append-only.
_UNCHANGED = """
CREATE FUNCTION alarm_is_cleared_once() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.cleared_at IS NOT NULL
       OR (NEW.id, NEW.kind, NEW.subject, NEW.raised_at) <>
          (OLD.id, OLD.kind, OLD.subject, OLD.raised_at)
       OR NEW.system_id IS DISTINCT FROM OLD.system_id
    THEN
        RAISE EXCEPTION 'alarm % stays as it is: % refused', OLD.id, TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER alarm_is_cleared_once BEFORE UPDATE OR DELETE ON tables_alarm
    FOR EACH ROW EXECUTE FUNCTION alarm_is_cleared_once();
ALTER TABLE tables_alarm ENABLE ALWAYS TRIGGER alarm_is_cleared_once;
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON tables_alarm
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE tables_alarm ENABLE ALWAYS TRIGGER never_emptied;

CREATE TRIGGER claim_never_changes BEFORE UPDATE OR DELETE ON settlement_claim
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE settlement_claim ENABLE ALWAYS TRIGGER claim_never_changes;
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON settlement_claim
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE settlement_claim ENABLE ALWAYS TRIGGER never_emptied;
"""


def _consoles_own(acts: str, worker: str) -> str:
    """Which commands name people, and which the worker does not queue."""
    return f"""
    DROP TRIGGER command_has_its_acts ON jackpot_command;
    CREATE CONSTRAINT TRIGGER command_has_its_acts AFTER INSERT ON jackpot_command
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW {acts}
        EXECUTE FUNCTION command_has_its_acts();
    ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER command_has_its_acts;
    DROP TRIGGER worker_decides_nothing ON jackpot_command;
    CREATE TRIGGER worker_decides_nothing BEFORE INSERT ON jackpot_command
        FOR EACH ROW WHEN (NEW.kind NOT IN ({worker})) EXECUTE FUNCTION worker_decides_nothing();
    ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER worker_decides_nothing;
    """


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0040_held_rounds"),
        ("jackpot", "0028_command_basis"),
        ("tables", "0014_boots_reset"),
    ]

    operations = [
        migrations.CreateModel(
            name="Record",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("source", models.CharField(max_length=40)),
                ("row", models.BigIntegerField()),
                ("said", models.TextField()),
                ("command", models.BigIntegerField(null=True)),
                (
                    "system",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="records",
                        to="tables.jackpotsystem",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
                "indexes": [
                    models.Index(
                        models.F("system"),
                        models.F("id"),
                        condition=models.Q(("command", None)),
                        name="records_that_wait",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("source"), models.F("row"), models.F("system"), name="record_once"
                    )
                ],
            },
        ),
        migrations.RunSQL(
            _UNCHANGED,
            "DROP TRIGGER never_emptied ON settlement_claim;"
            " DROP TRIGGER claim_never_changes ON settlement_claim;"
            " DROP TRIGGER never_emptied ON tables_alarm;"
            " DROP TRIGGER alarm_is_cleared_once ON tables_alarm;"
            " DROP FUNCTION alarm_is_cleared_once();",
        ),
        recorded("settlement_claim", OF_SYSTEM),
        recorded("settlement_act", OF_CLAIM),
        recorded("settlement_checkanswer", OF_CLAIM),
        recorded("settlement_decktick", OF_CLAIM),
        recorded("settlement_footage", OF_CLAIM),
        recorded("settlement_note", OF_CLAIM),
        recorded("settlement_attachment", OF_CLAIM, hidden=["content"]),
        recorded(
            "settlement_identification",
            OF_CLAIM,
            hidden=["name", "born", "document", "document_number", "note", "key"],
            more=_SEAL,
        ),
        recorded("settlement_identificationlook", OF_CLAIM),
        recorded("settlement_bundleexport", OF_CLAIM),
        recorded("settlement_payout", OF_CLAIM),
        recorded("settlement_slipprint", _OF_PAYOUT),
        recorded("settlement_proposal", OF_SYSTEM),
        recorded("settlement_proposaldecision", _OF_PROPOSAL),
        recorded("settlement_proposalapproval", _OF_PROPOSAL),
        recorded("settlement_retypedfigures", _OF_PROPOSAL),
        recorded("settlement_asideproposal", OF_SYSTEM),
        recorded("jackpot_setaside", OF_SYSTEM),
        recorded("settlement_ruling", OF_SYSTEM),
        recorded("settlement_countersignature", _OF_RULING),
        recorded("settlement_incident", OF_SYSTEM),
        recorded("settlement_incidentend", _OF_INCIDENT),
        recorded("settlement_staffplay", OF_TABLE),
        recorded("settlement_staffplayword", _OF_PLAY),
        recorded("settlement_staffplayend", _OF_PLAY),
        recorded("settlement_secondmanagerlimit", OF_CASINO),
        recorded("settlement_missedroundslimit", OF_CASINO),
        recorded("settlement_termsfactor", OF_CASINO),
        recorded("settlement_handover", OF_CASINO),
        recorded(
            "tables_closedgap",
            OF_SYSTEM,
            when="NEW.closed_by <> 'unit'",  # what a unit declares is an event of its own
            already="NEW.closed_by <> 'unit'",
        ),
        recorded("tables_erabegun", OF_SYSTEM),
        recorded(
            "tables_alarm",
            _OF_ALARM,
            event="UPDATE",
            when="OLD.cleared_at IS NULL AND NEW.cleared_at IS NOT NULL",
            already="NEW.cleared_at IS NOT NULL",
        ),
        migrations.RunSQL(
            _NEW_SYSTEM,
            "DROP TRIGGER records_of_the_casino ON tables_jackpotsystem;"
            " DROP FUNCTION records_of_the_casino();",
        ),
        migrations.RunSQL(_BASIS, _NO_BASIS),
        migrations.RunSQL(
            _consoles_own("WHEN (NEW.kind <> 'seal_records')", "'receive_table', 'seal_records'"),
            _consoles_own("", "'receive_table'"),
        ),
    ]
