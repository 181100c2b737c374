"""Held rounds: accepted or refused by one supervisor, refused with figures by two people.

Asked of the roles of the running processes, as in 0005. Nobody decides on an own round, as in 0028.
"""

from django.conf import settings
from django.db import migrations, models

_GUARD = """
CREATE FUNCTION held_rounds_have_their_ruling() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NEW.second IS NULL AND EXISTS (
        SELECT FROM settlement_ruling r
        JOIN tables_gamingtable g ON g.id = r.table_id
        JOIN auth_user u ON u.id = r.person_id
        WHERE r.system_id = NEW.system_id AND r.kind = NEW.kind AND r.command = NEW.number
          AND u.username = NEW.first AND g.code = NEW.body ->> 'table'
          AND r.note = NEW.body ->> 'note'
          AND (r.round IS NULL OR NEW.body -> 'rounds' = jsonb_build_array(r.round))
    ) OR NEW.kind = 'refuse_rounds' AND EXISTS (
        SELECT FROM settlement_proposal p
        JOIN settlement_proposaldecision d ON d.proposal_id = p.id
        JOIN auth_user proposer ON proposer.id = p.person_id
        JOIN auth_user other ON other.id = d.person_id
        WHERE p.system_id = NEW.system_id AND p.kind = NEW.kind AND p.body = NEW.body
          AND d.agreed AND d.command = NEW.number
          AND proposer.username = NEW.first AND other.username = NEW.second
    ) THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'acts: behind command % of system % stands no ruling of %',
        NEW.number, NEW.system_id, NEW.first
        USING ERRCODE = 'integrity_constraint_violation',
              HINT = 'Decide on held rounds by settlement/held_rounds.py.';
END
$$;
CREATE CONSTRAINT TRIGGER held_rounds_have_their_ruling AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind IN ('accept_rounds', 'refuse_rounds'))
    EXECUTE FUNCTION held_rounds_have_their_ruling();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER held_rounds_have_their_ruling;

CREATE CONSTRAINT TRIGGER nobody_decides_on_own_held_rounds AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind IN ('accept_rounds', 'refuse_rounds'))
    EXECUTE FUNCTION nobody_decides_on_an_own_round();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER nobody_decides_on_own_held_rounds;
"""
_AWAY = """
DROP TRIGGER nobody_decides_on_own_held_rounds ON jackpot_command;
DROP TRIGGER held_rounds_have_their_ruling ON jackpot_command;
DROP FUNCTION held_rounds_have_their_ruling();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0039_completion_is_said"),
        ("tables", "0014_boots_reset"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="ruling",
            name="ruling_kind",
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
                    ("refuse_rounds", "refuse rounds that have figures"),
                    ("move_table", "move a table to another system"),
                    ("settle_order", "settle an order in question"),
                    ("reset_boots", "reset the boot counter of a table"),
                    ("delegate_claim", "delegate a decision"),
                ],
                max_length=32,
            ),
        ),
        migrations.AlterField(
            model_name="ruling",
            name="kind",
            field=models.CharField(
                choices=[
                    ("void_round", "declared the round void"),
                    ("cancel_round", "cancelled the round"),
                    ("missed_rounds", "credited missed rounds"),
                    ("accept_rounds", "accepted rounds that were held"),
                    ("refuse_rounds", "refused rounds that were held"),
                    ("enter_hand", "entered a hand on the console"),
                    ("withdraw_hand", "proposed to reject the withdrawn hand"),
                    ("refuse", "refused the request"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("command__isnull", False),
                        (
                            "kind__in",
                            [
                                "void_round",
                                "cancel_round",
                                "missed_rounds",
                                "enter_hand",
                                "accept_rounds",
                                "refuse_rounds",
                            ],
                        ),
                    ),
                    models.Q(
                        ("command", None),
                        ("kind__in", ["withdraw_hand", "refuse"]),
                        ("request__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="ruling_kind",
            ),
        ),
        migrations.RunSQL(_GUARD, _AWAY),
    ]
