"""The database's own word on people and payment, whatever the services do.

Acts: recorder or amender, verifier, confirmer and payer of one claim are four people; who
proposed a rejection does not agree to it; a confirmation stands on a verification of the same
report. Payouts: only of a claim that two people confirmed (19.12).
"""

from django.db import migrations

from tables.guards import append_only

_ACTS = """
CREATE FUNCTION act_takes_two_people() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Two acts of one person at the same moment meet here one after the other.
    PERFORM FROM settlement_claim WHERE id = NEW.claim_id FOR UPDATE;
    IF NEW.kind IN ('amend', 'verify', 'confirm', 'pay') AND EXISTS (
        SELECT FROM settlement_act a
        WHERE a.claim_id = NEW.claim_id AND a.person_id = NEW.person_id
          AND a.kind <> NEW.kind AND a.kind IN ('amend', 'verify', 'confirm', 'pay')
    ) OR NEW.kind = 'second_rejection' AND EXISTS (
        SELECT FROM settlement_act a
        WHERE a.claim_id = NEW.claim_id AND a.person_id = NEW.person_id
          AND a.kind = 'propose_rejection'
    ) THEN
        RAISE EXCEPTION 'two_people: person % has already acted on claim %',
            NEW.person_id, NEW.claim_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.kind = 'confirm' AND NOT EXISTS (
        SELECT FROM settlement_act a
        WHERE a.claim_id = NEW.claim_id AND a.kind = 'verify'
          AND a.report_entry = NEW.report_entry AND a.person_id <> NEW.person_id
    ) THEN
        RAISE EXCEPTION 'two_people: claim % is not verified by another person', NEW.claim_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER act_takes_two_people BEFORE INSERT ON settlement_act
    FOR EACH ROW EXECUTE FUNCTION act_takes_two_people();
ALTER TABLE settlement_act ENABLE ALWAYS TRIGGER act_takes_two_people;
"""

_PAYOUTS = """
CREATE FUNCTION payout_is_confirmed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM settlement_act v JOIN settlement_act c
          ON c.claim_id = v.claim_id AND c.report_entry = v.report_entry
        WHERE v.claim_id = NEW.claim_id AND v.kind = 'verify' AND c.kind = 'confirm'
          AND c.person_id <> v.person_id
    ) OR NOT EXISTS (
        SELECT FROM settlement_claim k
        JOIN jackpot_hit h ON h.system_id = k.system_id AND h.number = k.number
        WHERE k.id = NEW.claim_id AND h.state IN ('confirmed', 'paid')
    ) THEN
        RAISE EXCEPTION 'payout of claim % without confirmation by two people', NEW.claim_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER payout_is_confirmed BEFORE INSERT ON settlement_payout
    FOR EACH ROW EXECUTE FUNCTION payout_is_confirmed();
ALTER TABLE settlement_payout ENABLE ALWAYS TRIGGER payout_is_confirmed;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0001_claims"),
        ("jackpot", "0002_guards"),
        ("tables", "0002_append_only"),
    ]

    operations = [
        migrations.RunSQL(
            _ACTS,
            "DROP TRIGGER act_takes_two_people ON settlement_act;"
            " DROP FUNCTION act_takes_two_people();",
        ),
        migrations.RunSQL(
            _PAYOUTS,
            "DROP TRIGGER payout_is_confirmed ON settlement_payout;"
            " DROP FUNCTION payout_is_confirmed();",
        ),
        append_only("settlement_act"),
        append_only("settlement_checkanswer"),
        append_only("settlement_payout"),
        append_only("settlement_reconciliation"),
    ]
