"""Two people reset a table's boot counter; the writer discards boots by that alone.

Asked of the roles of the running processes, as in 0005. Intake begins boots by the unit's word.
"""

from django.db import migrations, models

from settlement.guards import by_proposal

_BY_THE_ORDER = """
CREATE FUNCTION boots_are_set_by_the_order() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM jackpot_command c
        JOIN jackpot_entry n ON (n.system_id, n.command) = (c.system_id, c.number)
        JOIN tables_gamingtable g ON g.id = NEW.table_id AND g.code = c.body ->> 'table'
        WHERE c.system_id = NEW.system_id AND c.kind = 'reset_boots' AND NOT n.outcome ? 'refused'
          AND CASE WHEN NEW.discarded THEN NEW.boot > (c.body ->> 'boot')::bigint + 10000
              ELSE NEW.boot = (c.body ->> 'boot')::bigint END
    ) THEN
        RAISE EXCEPTION 'boots: no order says this of boot % of table %', NEW.boot, NEW.table_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER boots_are_set_by_the_order
    AFTER INSERT OR UPDATE OF discarded ON tables_stream FOR EACH ROW
    WHEN (current_user <> 'jackpot_intake') EXECUTE FUNCTION boots_are_set_by_the_order();
ALTER TABLE tables_stream ENABLE ALWAYS TRIGGER boots_are_set_by_the_order;
"""
_AWAY = """
DROP TRIGGER boots_are_set_by_the_order ON tables_stream;
DROP FUNCTION boots_are_set_by_the_order();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0014_boots_reset"),
        ("settlement", "0032_commands_say_what_was_done"),
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
                    ("propose_boots", "Propose to reset the boot counter of a table"),
                    ("second_boots", "Agree to reset the boot counter of a table"),
                    ("enter_hand", "Enter a hand on the console"),
                    ("propose_order", "Propose to settle an order in question"),
                    ("second_order", "Agree to settle an order in question"),
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
                    ("settle_order", "settle an order in question"),
                    ("reset_boots", "reset the boot counter of a table"),
                ],
                max_length=32,
            ),
        ),
        by_proposal("boots_have_their_proposal", "reset_boots"),
        migrations.RunSQL(_BY_THE_ORDER, _AWAY),
    ]
