-- Whether an action on a claim is signed. Large: it confirms, or pays of, a claim of which people
-- confirm more than the casino's second manager's amount, by actions before the one with number
-- `before` (NULL: all there are) that the order did not refuse, and with it.
CREATE FUNCTION action_is_to_be_signed(
    of_claim bigint, of_kind text, of_body jsonb, before bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
    of_system tables_jackpotsystem%ROWTYPE;
    acts text;
    so_far numeric;
BEGIN
    IF of_kind NOT IN ('verify', 'approve', 'confirm', 'second_rejection', 'pay') THEN
        RETURN false;
    END IF;
    SELECT s.* INTO of_system FROM settlement_claim c
    JOIN tables_jackpotsystem s ON s.id = c.system_id WHERE c.id = of_claim;
    acts := acts_to_be_signed(of_system.casino_id);
    IF acts <> 'large' OR of_kind IN ('verify', 'second_rejection') THEN
        RETURN acts = 'all';
    END IF;
    SELECT coalesce(sum((a.body ->> 'amount')::numeric), 0) INTO so_far FROM settlement_action a
    WHERE a.claim_id = of_claim AND a.kind = 'confirm' AND (before IS NULL OR a.id < before)
      AND NOT EXISTS (
          SELECT FROM jackpot_entry e WHERE e.system_id = of_system.id
          AND e.command = a.command AND e.outcome ? 'refused');
    IF of_kind <> 'pay' THEN
        so_far := so_far + (of_body ->> 'amount')::numeric;
    END IF;
    RETURN coalesce(so_far > (
        SELECT l.amount FROM settlement_secondmanagerlimit l
        WHERE l.casino_id = of_system.casino_id ORDER BY l.id DESC LIMIT 1), false);
END
$$;
