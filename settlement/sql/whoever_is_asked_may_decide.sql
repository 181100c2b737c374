-- Refuses a decision delegated to one of the two who delegate it, to somebody who was dealt in,
-- or to one whose role takes none.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION whoever_is_asked_may_decide() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM settlement_claim k JOIN auth_user u ON u.username = NEW.body ->> 'person'
        WHERE k.system_id = NEW.system_id AND to_jsonb(k.number) = NEW.body -> 'hit'
          AND u.username NOT IN (NEW.first, NEW.second)
          AND role_allows(u.id, 'take_delegation') AND NOT was_dealt_in(k.id, u.id)
    ) THEN
        RAISE EXCEPTION 'own_hand: command % of system % delegates to somebody who may not decide',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER whoever_is_asked_may_decide AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind = 'delegate_claim') EXECUTE FUNCTION whoever_is_asked_may_decide();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER whoever_is_asked_may_decide;
