-- Refuses a command that takes two people without a proposal of exactly what it says, to which
-- the other one agreed.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION command_has_its_proposal() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM settlement_proposal p
        JOIN settlement_proposaldecision d ON d.proposal_id = p.id
        JOIN auth_user proposer ON proposer.id = p.person_id
        JOIN auth_user other ON other.id = d.person_id
        WHERE p.system_id = NEW.system_id AND p.kind = NEW.kind AND p.body = NEW.body
          AND d.agreed AND d.command = NEW.number
          AND proposer.username = NEW.first AND other.username = NEW.second
    ) THEN
        RAISE EXCEPTION 'actions: behind command % of system % stands no proposal of % that % agreed'
            ' to', NEW.number, NEW.system_id, NEW.first, NEW.second
            USING ERRCODE = 'integrity_constraint_violation',
                  HINT = 'Decide by settlement/approvals/proposals.py.';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER command_has_its_proposal AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind IN (
        'adjust_pool', 'reverse_claim', 'reverse_rejection', 'forfeit', 'resolve_dispute',
        'lift_hold', 'put_terms', 'close_tier', 'move_table', 'settle_order', 'reset_boots',
        'delegate_claim', 'close_day', 'close_month', 'release_excluded',
        'same_player'))
    EXECUTE FUNCTION command_has_its_proposal();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER command_has_its_proposal;
