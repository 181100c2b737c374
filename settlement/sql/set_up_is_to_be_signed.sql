-- Whether agreeing to a proposal of set-up is signed: where all acts are, and where any is, what
-- says which acts those are and from which amount. `is_carried_out`: what it decides holds already,
-- and does not decide on itself.
CREATE FUNCTION set_up_is_to_be_signed(
    of_casino bigint, of_kind text, is_carried_out boolean DEFAULT false) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT CASE acts_to_be_signed(
        of_casino, CASE WHEN is_carried_out AND of_kind = 'signatures' THEN 1 ELSE 0 END)
        WHEN 'all' THEN true
        WHEN 'large' THEN of_kind IN ('signatures', 'second_manager')
        ELSE false END
$$;
