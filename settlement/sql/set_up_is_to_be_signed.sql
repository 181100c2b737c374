-- Whether agreeing to a proposal of set-up is signed: where all acts are, and where any is, what
-- says which acts those are and from which amount, and what lets somebody in, gives a role or takes the second factor from one: with
-- an accomplice's key and a role that agrees nothing else would be needed. Every role alike, as two
-- people give each. `decision`: the row of an agreement that was carried out already; neither it
-- nor a later one decides on itself.
CREATE FUNCTION set_up_is_to_be_signed(
    of_casino bigint, of_kind text, decision bigint DEFAULT NULL) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT CASE acts_to_be_signed(of_casino, decision)
        WHEN 'all' THEN true
        WHEN 'large' THEN of_kind IN (
            'signatures', 'second_manager', 'invite', 'give_role', 'unlock', 'reset_factors',
            'mail_address', 'new_password', 'factor_demand')
        ELSE false END
$$;
