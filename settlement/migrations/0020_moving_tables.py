"""Moving a table: who proposes and agrees, and what the database asks before and after.

Asked of the roles of the running processes, as in 0005.
"""

from django.db import migrations, models

from settlement.guards import by_proposal

_OWNER = """
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
"""
# Closed, fully receipted and in the order to its last event, without an open claim; and the code
# that it gets is free.
_MAY_MOVE = f"""
CREATE FUNCTION table_may_move() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE the_table bigint;
BEGIN
    {_OWNER}
    SELECT id INTO the_table FROM tables_gamingtable
    WHERE system_id = NEW.system_id AND code = NEW.body ->> 'table' AND moved_to_id IS NULL;
    IF the_table IS NULL OR NOT EXISTS (
        SELECT FROM tables_jackpotsystem s JOIN tables_jackpotsystem h ON h.id = NEW.system_id
        WHERE s.code = NEW.body ->> 'to_system' AND s.casino_id = h.casino_id AND s.id <> h.id
          AND NOT EXISTS (SELECT FROM tables_gamingtable g
                          WHERE g.system_id = s.id AND g.code = NEW.body ->> 'to_table')
    ) THEN
        RAISE EXCEPTION 'moving: no such table, or no free place in the other system'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF EXISTS (SELECT FROM jackpot_tablestate WHERE table_id = the_table AND session IS NOT NULL)
       OR EXISTS (SELECT FROM jackpot_hit WHERE system_id = NEW.system_id AND table_id = the_table
                  AND state IN ('held', 'confirmed'))
    THEN
        RAISE EXCEPTION 'moving: table % is open, or a claim of it is', NEW.body ->> 'table'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.body -> 'receipted' <> (
           SELECT coalesce(jsonb_agg(jsonb_build_array(boot, committed_seq) ORDER BY boot), '[]')
           FROM tables_stream WHERE system_id = NEW.system_id AND table_id = the_table)
       OR EXISTS (SELECT FROM tables_stream WHERE system_id = NEW.system_id AND table_id = the_table
                  AND last_seq > committed_seq)
       OR EXISTS (
           SELECT FROM tables_unitpresence p LEFT JOIN tables_stream s
             ON (s.system_id, s.table_id, s.boot) = (NEW.system_id, p.table_id, p.boot)
           WHERE p.table_id = the_table AND p.last_seq > coalesce(s.committed_seq, 0))
       OR EXISTS (
           SELECT FROM tables_stream s LEFT JOIN jackpot_cursor c
             ON (c.system_id, c.table_id, c.boot) = (s.system_id, s.table_id, s.boot)
           JOIN tables_tableevent e
             ON (e.system_id, e.table_id, e.boot) = (s.system_id, s.table_id, s.boot)
            AND e.seq > coalesce(c.through, 0)
           WHERE s.system_id = NEW.system_id AND s.table_id = the_table
             AND NOT EXISTS (SELECT FROM jackpot_entry n WHERE n.event_id = e.id))
    THEN
        RAISE EXCEPTION 'moving: events of table % are on their way', NEW.body ->> 'table'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER table_may_move AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind = 'move_table') EXECUTE FUNCTION table_may_move();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER table_may_move;
"""
# The move that an order carried out, with the two rows of the table.
_MOVE = """
    SELECT FROM tables_gamingtable left_
    JOIN tables_gamingtable come ON come.id = left_.moved_to_id
    JOIN tables_jackpotsystem here ON here.id = left_.system_id
    JOIN tables_jackpotsystem there ON there.id = come.system_id
    JOIN jackpot_entry n ON n.system_id = left_.system_id AND n.seq = left_.moved_entry
      AND n.type = 'move_table' AND n.outcome ? 'moved'
    JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    WHERE c.body ->> 'table' = left_.code AND c.body ->> 'to_system' = there.code
      AND c.body ->> 'to_table' = come.code
"""
_RECEIVED = f"""
CREATE FUNCTION received_table_had_left() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    {_OWNER}
    IF NOT EXISTS ({_MOVE}
        AND come.system_id = NEW.system_id AND come.code = NEW.body ->> 'table'
        AND here.code = NEW.body ->> 'from_system' AND left_.code = NEW.body ->> 'from_table'
        AND to_jsonb(left_.moved_entry) = NEW.body -> 'entry'
        AND c.first = NEW.first AND c.second = NEW.second
    ) THEN
        RAISE EXCEPTION 'acts: behind command % of system % stands no table that left',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER received_table_had_left AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind = 'receive_table') EXECUTE FUNCTION received_table_had_left();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER received_table_had_left;

CREATE FUNCTION table_moves_by_the_order() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    {_OWNER}
    IF TG_OP = 'UPDATE' AND OLD.moved_to_id IS NOT NULL OR NOT EXISTS ({_MOVE}
        AND NEW.id = CASE TG_OP WHEN 'INSERT' THEN come.id ELSE left_.id END
    ) THEN
        RAISE EXCEPTION 'moving: no order says that table % moves', NEW.code
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER table_moves_by_the_order AFTER INSERT OR UPDATE ON tables_gamingtable
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION table_moves_by_the_order();
ALTER TABLE tables_gamingtable ENABLE ALWAYS TRIGGER table_moves_by_the_order;
"""
_AWAY = """
DROP TRIGGER table_moves_by_the_order ON tables_gamingtable;
DROP FUNCTION table_moves_by_the_order();
DROP TRIGGER received_table_had_left ON jackpot_command;
DROP FUNCTION received_table_had_left();
DROP TRIGGER table_may_move ON jackpot_command;
DROP FUNCTION table_may_move();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0019_bundle_exports"),
        ("jackpot", "0013_moving_tables"),
        ("tables", "0007_moved_tables"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="claim",
            options={
                "permissions": [
                    ("verify_claim", "Complete the checklist and verify a claim"),
                    ("amend_claim", "Amend a reported hand"),
                    ("confirm_claim", "Confirm a verified claim"),
                    ("propose_rejection", "Propose to reject a claim"),
                    ("second_rejection", "Agree to reject a claim"),
                    ("pay_claim", "Pay a confirmed claim"),
                    ("export_reports", "Export histories, registers and roll-forwards"),
                    ("clear_alarm", "Clear an alarm with a note"),
                    ("close_gap", "Give up missing events of a table"),
                    ("propose_aside", "Propose to set aside what halted a system"),
                    ("second_aside", "Agree to set aside what halted a system"),
                    ("propose_adjustment", "Propose to adjust a pool"),
                    ("second_adjustment", "Agree to adjust a pool"),
                    ("propose_reversal", "Propose to reverse a confirmed or paid claim"),
                    ("second_reversal", "Agree to reverse a claim"),
                    ("withhold_payment", "Withhold a payment and release it"),
                    ("book_unclaimed", "Book a payment as unclaimed"),
                    ("propose_forfeit", "Propose that a payment is forfeited"),
                    ("second_forfeit", "Agree that a payment is forfeited"),
                    ("open_dispute", "Note a player's dispute of a claim"),
                    ("place_hold", "Place a regulator's hold on a claim"),
                    ("propose_resolution", "Propose to resolve a dispute"),
                    ("second_resolution", "Agree to resolve a dispute"),
                    ("propose_lift", "Propose to lift a regulator's hold"),
                    ("second_lift", "Agree to lift a regulator's hold"),
                    ("print_slip", "Print the slip of a payment"),
                    ("export_bundle", "Export the dispute bundle of a claim"),
                    ("propose_terms", "Propose new terms of a jackpot"),
                    ("second_terms", "Agree to new terms"),
                    ("suspend_jackpot", "Suspend a prize or a table, and resume it"),
                    ("propose_closing", "Propose to close a prize"),
                    ("second_closing", "Agree to close a prize"),
                    ("rule_round", "Rule on rounds and requests of dealers"),
                    ("credit_missed", "Credit missed rounds"),
                    ("second_missed", "Agree to missed rounds above the limit"),
                    ("countersign_missed", "Countersign missed rounds"),
                    ("report_incident", "Enter incidents"),
                    ("resolve_incident", "Resolve incidents"),
                    ("propose_move", "Propose to move a table to another system"),
                    ("second_move", "Agree to move a table"),
                ]
            },
        ),
        migrations.AlterField(
            model_name="proposal",
            name="kind",
            field=models.CharField(
                choices=[
                    ("adjust_pool", "adjust a pool"),
                    ("reverse_claim", "reverse a claim"),
                    ("forfeit", "forfeit a payment"),
                    ("resolve_dispute", "resolve a dispute"),
                    ("lift_hold", "lift a regulator's hold"),
                    ("put_terms", "put terms into effect"),
                    ("close_tier", "close a prize"),
                    ("missed_rounds", "credit missed rounds"),
                    ("move_table", "move a table to another system"),
                ],
                max_length=32,
            ),
        ),
        by_proposal("move_has_its_proposal", "move_table"),
        migrations.RunSQL(_MAY_MOVE + _RECEIVED, _AWAY),
    ]
