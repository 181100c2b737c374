-- Refuses an adjustment above the house's amount, by itself or with those of the gaming day,
-- without a second manager beside whoever proposed it.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION large_adjustment_takes_two_managers() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    highest bigint := one_manager_may(NEW.system_id, NEW.number);
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF highest IS NULL THEN
        RETURN NULL;
    END IF;
    -- Two at once meet here one after the other: the amount is of both together.
    PERFORM pg_advisory_xact_lock(hashtext('adjust_pool'), NEW.system_id::int);
    IF adjusted_on_this_day(NEW.system_id, NEW.body ->> 'tier', NEW.issued_at) > highest AND NOT EXISTS (
        SELECT FROM settlement_proposaldecision d
        JOIN settlement_proposal p ON p.id = d.proposal_id
        JOIN settlement_proposalapproval a ON a.proposal_id = p.id
        WHERE p.system_id = NEW.system_id AND p.kind = NEW.kind AND d.command = NEW.number
          AND a.person_id NOT IN (p.person_id, d.person_id)
          AND may_agree_to_adjust(a.person_id) AND may_agree_to_adjust(d.person_id)
    ) THEN
        RAISE EXCEPTION 'second_manager: command % of system % adjusts more than one manager may',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER large_adjustment_takes_two_managers AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'adjust_pool')
    EXECUTE FUNCTION large_adjustment_takes_two_managers();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER large_adjustment_takes_two_managers;
