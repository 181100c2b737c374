-- What the terms of the claim's prize ask for above an amount and nobody has given; NULL where
-- nothing is missing. It is there, or somebody said in words why it cannot be had. Of a confirmation
-- whoever wins by a hand is identified. `through`: only of what that command rests on, which says
-- what came first whatever the clocks did.
CREATE FUNCTION evidence_lacking(
    claim bigint, amount bigint, payees jsonb DEFAULT '[]',
    through bigint DEFAULT NULL
) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT string_agg(asked.thing, ', ' ORDER BY asked.thing)
    FROM settlement_claim k
    JOIN jackpot_hit h ON (h.system_id, h.number) = (k.system_id, k.number)
    JOIN jackpot_tier p ON p.id = h.tier_id
    CROSS JOIN LATERAL (
        SELECT t.document -> 'evidence' AS evidence FROM jackpot_terms t
        WHERE t.system_id = h.system_id AND t.number <= h.terms
          AND t.document -> 'tiers' @> jsonb_build_array(jsonb_build_object('code', p.code))
        ORDER BY t.number DESC LIMIT 1) AS posted
    CROSS JOIN LATERAL jsonb_each_text(posted.evidence) AS asked (thing, above)
    LEFT JOIN LATERAL (
        SELECT a.answer, a.evidence FROM settlement_checkanswer a
        WHERE a.claim_id = k.id AND a.item = asked.thing AND (
            through IS NULL
            OR is_taken_in('settlement_checkanswer', a.id, k.system_id, through))
        ORDER BY a.id DESC LIMIT 1) AS given ON true
    WHERE k.id = claim AND amount > asked.above::bigint
      AND (given.answer = 'no' OR given.answer = 'yes' AND (
        asked.thing <> 'identity' OR NOT EXISTS (
            SELECT FROM jsonb_array_elements(payees) AS paid
            WHERE paid ->> 'role' <> 'table' AND NOT EXISTS (
                SELECT FROM settlement_identification i
                WHERE i.claim_id = k.id AND to_jsonb(i.seat) = paid -> 'seat'
                  AND given.evidence -> 'identifications' @> to_jsonb(i.id))))) IS NOT true
$$;
