-- What a seat won in a claim in all, as far as people confirmed it, but what was reversed before
-- anything of it was paid; micros. NULL: nothing.
CREATE FUNCTION won_by_seat(of_claim bigint, of_seat smallint) RETURNS bigint
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT sum((payee ->> 'amount')::bigint)::bigint
    FROM settlement_claim k
    JOIN jackpot_hit h ON (h.system_id, h.number) = (k.system_id, k.number)
    CROSS JOIN jsonb_array_elements(h.payees) AS payee
    WHERE k.id = of_claim AND (payee ->> 'seat')::smallint = of_seat
      AND (payee ->> 'state' <> 'reversed' OR payee -> 'payments' <> '[]')
$$;
