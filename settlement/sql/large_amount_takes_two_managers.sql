-- Refuses a confirmation above the casino's amount without the approval of exactly this amount
-- by another manager. Where two managers confirm, one of the two may act by delegation for that
-- claim. Promise: nobody pays alone.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION large_amount_takes_two_managers() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    highest bigint := one_manager_may(NEW.system_id, NEW.number);
    claim bigint;
    so_far bigint;
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    SELECT k.id, h.confirmed INTO claim, so_far FROM settlement_claim k
    JOIN jackpot_hit h ON (h.system_id, h.number) = (k.system_id, k.number)
    WHERE k.system_id = NEW.system_id AND to_jsonb(k.number) = NEW.body -> 'hit';
    IF highest IS NOT NULL AND so_far + (NEW.body ->> 'amount')::bigint > highest AND NOT EXISTS (
        SELECT FROM settlement_action a JOIN auth_user u ON u.id = a.person_id
        JOIN auth_user other ON other.username = NEW.second
        WHERE a.claim_id = claim AND a.kind = 'approve'
          AND a.body = jsonb_build_object('amount', NEW.body -> 'amount', 'confirmed', so_far)
          AND to_jsonb(a.report_entry) IS NOT DISTINCT FROM
              nullif(NEW.body -> 'report_entry', 'null'::jsonb)
          AND u.username NOT IN (NEW.first, NEW.second) AND NOT was_dealt_in(claim, u.id)
          AND may_confirm_claim(claim, u.id) AND may_confirm_claim(claim, other.id)
    ) THEN
        RAISE EXCEPTION 'second_manager: command % of system % confirms more than one manager may',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER large_amount_takes_two_managers AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'confirm_claim')
    EXECUTE FUNCTION large_amount_takes_two_managers();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER large_amount_takes_two_managers;
