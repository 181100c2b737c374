-- Whether agreeing to a proposal of a system, or approving it, is signed: where all acts are, and
-- where any is, a decision that is delegated: it makes somebody a manager of that claim.
CREATE FUNCTION proposal_is_to_be_signed(of_casino bigint, of_kind text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT CASE acts_to_be_signed(of_casino)
        WHEN 'all' THEN true WHEN 'large' THEN of_kind = 'delegate_claim' ELSE false END
$$;
