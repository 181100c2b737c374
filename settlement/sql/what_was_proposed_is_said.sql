-- Refuses a rejection with other evidence than the newest proposal of it has, or one that was
-- withdrawn, or spent on a rejection before; and an agreement that does not name that proposal.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION what_was_proposed_is_said() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM (
            SELECT a.kind, a.body, a.key, k.id AS claim, u.username
            FROM settlement_action a JOIN settlement_claim k ON k.id = a.claim_id
            JOIN auth_user u ON u.id = a.person_id
            WHERE k.system_id = NEW.system_id AND to_jsonb(k.number) = NEW.body -> 'hit'
              AND (a.kind IN ('propose_rejection', 'withdraw_rejection')
                   OR a.kind = 'second_rejection' AND a.command < NEW.number AND EXISTS (
                       SELECT FROM jackpot_entry n
                       WHERE n.system_id = NEW.system_id AND n.command = a.command))
            ORDER BY a.id DESC LIMIT 1) AS newest
        WHERE kind = 'propose_rejection' AND username = NEW.first
          AND body = NEW.body - 'hit' - 'report_entry'
          AND EXISTS (
              SELECT FROM settlement_action o
              WHERE o.claim_id = newest.claim AND o.kind = 'second_rejection' AND o.command = NEW.number
                AND o.body = jsonb_build_object('proposal', newest.key))
    ) THEN
        RAISE EXCEPTION 'actions: command % of system % says something else than % did',
            NEW.number, NEW.system_id, coalesce(NEW.second, NEW.first)
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER what_was_proposed_is_said AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'reject_claim')
    EXECUTE FUNCTION what_was_proposed_is_said();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER what_was_proposed_is_said;
