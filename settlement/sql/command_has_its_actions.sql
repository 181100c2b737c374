-- Refuses a command that names somebody who is no active person, and a confirmation, rejection,
-- payment or amendment without the actions of those whom it names. Promise: nobody pays alone.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION command_has_its_actions() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
    -- Whose action carries the command, and what the other person must have done before.
    last_kind text := CASE NEW.kind
        WHEN 'amend_hand' THEN 'amend' WHEN 'confirm_claim' THEN 'confirm'
        WHEN 'reject_claim' THEN 'second_rejection' WHEN 'pay' THEN 'pay' END;
    first_kind text := CASE NEW.kind
        WHEN 'confirm_claim' THEN 'verify' WHEN 'reject_claim' THEN 'propose_rejection' END;
    claim bigint;
    people bigint;
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    SELECT count(*) INTO people FROM auth_user
    WHERE is_active AND username IN (NEW.first, NEW.second);
    IF people <> 1 + (NEW.second IS NOT NULL)::int OR NEW.first = NEW.second THEN
        RAISE EXCEPTION 'actions: command % of system % names somebody who is no active person',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF last_kind IS NULL THEN
        RETURN NULL;
    END IF;
    SELECT k.id INTO claim FROM settlement_claim k
    WHERE k.system_id = NEW.system_id AND to_jsonb(k.number) = NEW.body -> 'hit';
    IF NOT EXISTS (
        SELECT FROM settlement_action a JOIN auth_user u ON u.id = a.person_id
        WHERE a.claim_id = claim AND a.kind = last_kind AND a.command = NEW.number
          AND u.username = coalesce(NEW.second, NEW.first)
    ) OR first_kind IS NOT NULL AND NOT EXISTS (
        SELECT FROM settlement_action a JOIN auth_user u ON u.id = a.person_id
        WHERE a.claim_id = claim AND a.kind = first_kind AND u.username = NEW.first
          AND to_jsonb(a.report_entry) IS NOT DISTINCT FROM
              nullif(NEW.body -> 'report_entry', 'null'::jsonb)
    ) THEN
        RAISE EXCEPTION 'actions: behind command % of system % stand no actions of % and %',
            NEW.number, NEW.system_id, NEW.first, NEW.second
            USING ERRCODE = 'integrity_constraint_violation',
                  HINT = 'Decide on claims by settlement/claims/services.py.';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER command_has_its_actions AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind <> 'seal_records')
    EXECUTE FUNCTION command_has_its_actions();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER command_has_its_actions;
