-- Whether an action on a claim is signed. Large: it approves, confirms, or pays of, a claim of which
-- people confirm more than the casino's second manager's amount. What counts is what the order
-- confirmed, or all confirmations but this action (`own`; NULL: it has no row yet) that the order
-- did not refuse, whichever is more, and what it adds itself. A payment of a claim of which nothing
-- is confirmed yet is signed whatever it says. Numbers of rows say nothing: they come with the row.
CREATE FUNCTION action_is_to_be_signed(
    of_claim bigint, of_kind text, of_body jsonb, own bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
    of_system tables_jackpotsystem%ROWTYPE;
    acts text;
    by_order numeric;
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
    IF of_kind <> 'pay' AND coalesce(
        CASE jsonb_typeof(of_body -> 'amount') WHEN 'number' THEN of_body ->> 'amount' END, '-1'
    )::numeric < 0 THEN
        RAISE EXCEPTION 'signature: the % of claim % has no amount', of_kind, of_claim
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    SELECT coalesce(max(h.confirmed), 0) INTO by_order FROM settlement_claim c
    JOIN jackpot_hit h ON (h.system_id, h.number) = (c.system_id, c.number) WHERE c.id = of_claim;
    IF of_kind = 'pay' AND by_order = 0 THEN
        RETURN true;
    END IF;
    SELECT greatest(by_order, coalesce(sum(greatest((a.body ->> 'amount')::numeric, 0)), 0))
    INTO so_far FROM settlement_action a
    WHERE a.claim_id = of_claim AND a.kind = 'confirm' AND a.id IS DISTINCT FROM own
      AND jsonb_typeof(a.body -> 'amount') = 'number' AND NOT EXISTS (
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
