-- Who sat nowhere and shares what seats of a claim won: sharers that nobody withdrew.
CREATE FUNCTION standing_sharers(of_claim bigint)
RETURNS TABLE (sharer bigint, seat smallint, identification bigint, amount bigint)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT r.id, r.seat, r.identification_id, r.amount FROM settlement_sharer r
    WHERE r.claim_id = of_claim AND r.kind = 'added'
      AND NOT EXISTS (SELECT FROM settlement_sharer b WHERE b.reverses_id = r.id)
$$;
