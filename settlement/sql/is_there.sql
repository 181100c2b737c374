-- Whether this connection shows the key of a session of the person that is not locked, whose hash
-- stands in console_session, or the proof of the password, in its setting jackpot.shown
-- (settlement/people/shared/presence.py). Reading the tables gives neither. Refuses a transaction that sees
-- a moment of before (require_now).
CREATE FUNCTION is_there(who integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    WITH shown AS (
        SELECT one FROM unnest(string_to_array(current_setting('jackpot.shown', true), ' ')) AS one)
    SELECT require_now() AND (EXISTS (
        SELECT FROM shown JOIN console_session s
            ON s.session_key = left(encode(sha256(convert_to(one, 'UTF8')), 'hex'), 40)
        WHERE s.person_id = who AND s.expire_date > clock_timestamp() AND s.locked_at IS NULL
    ) OR EXISTS (
        SELECT FROM shown JOIN auth_user u ON u.id = who AND u.is_active
        WHERE proves(
            u.password, CASE WHEN one ~ '^[0-9a-f]{64}$' THEN decode(one, 'hex') END)))
$$;
