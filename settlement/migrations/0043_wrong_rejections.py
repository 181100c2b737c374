"""The rejection of a claim is reversed by two people who neither proposed it nor agreed to it; what
they agree to spends the proposal behind that rejection, so that the next one takes its own."""

from django.db import migrations, models

from settlement.guards import by_proposal

_APART = """
CREATE FUNCTION rejection_reversed_by_its_own_two_people() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    claim bigint;
    proposer bigint;
BEGIN
    SELECT k.id, p.person_id INTO claim, proposer FROM settlement_proposal p
    JOIN settlement_claim k ON k.system_id = p.system_id AND to_jsonb(k.number) = p.body -> 'hit'
    WHERE p.id = NEW.proposal_id AND p.kind = 'reverse_rejection';
    IF NOT NEW.agreed OR claim IS NULL THEN
        RETURN NEW;
    END IF;
    -- A rejection and its reversal at the same moment meet here one after the other.
    PERFORM FROM settlement_claim WHERE id = claim FOR UPDATE;
    IF EXISTS (
        SELECT FROM settlement_act a WHERE a.claim_id = claim
          AND a.kind IN ('propose_rejection', 'second_rejection')
          AND a.person_id IN (proposer, NEW.person_id)
    ) THEN
        RAISE EXCEPTION 'two_people: one of them proposed or agreed to reject claim %', claim
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER rejection_reversed_by_its_own_two_people
    BEFORE INSERT ON settlement_proposaldecision
    FOR EACH ROW EXECUTE FUNCTION rejection_reversed_by_its_own_two_people();
ALTER TABLE settlement_proposaldecision
    ENABLE ALWAYS TRIGGER rejection_reversed_by_its_own_two_people;
"""
_SAID = """
CREATE OR REPLACE FUNCTION what_was_proposed_is_said() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM (
            SELECT a.kind, a.body, a.report_entry, u.username
            FROM settlement_act a JOIN settlement_claim k ON k.id = a.claim_id
            JOIN auth_user u ON u.id = a.person_id
            WHERE k.system_id = NEW.system_id AND to_jsonb(k.number) = NEW.body -> 'hit'
              AND (a.kind IN ('propose_rejection', 'withdraw_rejection'){spent})
            ORDER BY a.id DESC LIMIT 1) AS newest
        WHERE kind = 'propose_rejection' AND username = NEW.first
          AND body = NEW.body - 'hit' - 'report_entry'
    ) THEN
        RAISE EXCEPTION 'acts: command % of system % says something else than % did',
            NEW.number, NEW.system_id, coalesce(NEW.second, NEW.first)
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
"""
_NOW = _SAID.replace(
    "{spent}",
    """
                   OR a.kind = 'second_rejection' AND a.command < NEW.number AND EXISTS (
                       SELECT FROM jackpot_entry n
                       WHERE n.system_id = NEW.system_id AND n.command = a.command)""",
)
_BEFORE = _SAID.replace("{spent}", "")


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0042_named_misdeals"),
        ("jackpot", "0030_wrong_rejections"),
    ]

    operations = [
        migrations.AlterField(
            model_name="proposal",
            name="kind",
            field=models.CharField(
                choices=[
                    ("adjust_pool", "adjust a pool"),
                    ("reverse_claim", "reverse a claim"),
                    ("reverse_rejection", "reverse a rejection"),
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
        migrations.RunSQL(
            _APART,
            "DROP TRIGGER rejection_reversed_by_its_own_two_people ON settlement_proposaldecision;"
            " DROP FUNCTION rejection_reversed_by_its_own_two_people();",
        ),
        by_proposal("rejection_is_reversed_by_two_people", "reverse_rejection"),
        migrations.RunSQL(_NOW, _BEFORE),
    ]
