-- Puts the mail address that a person asked for and was mailed to, against both halves of the link's
-- secret: once, within half an hour, while that person may log in. Gives the person.
CREATE FUNCTION confirm_mail(secret text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    it settlement_mailchange%ROWTYPE;
BEGIN
    SELECT * INTO it FROM settlement_mailchange m
    WHERE m.digest = encode(sha256(convert_to(left(secret, 32), 'UTF8')), 'hex')
      AND m.mailed_digest = encode(sha256(convert_to(substr(secret, 33), 'UTF8')), 'hex')
      AND m.used_at IS NULL AND m.expires_at > clock_timestamp()
      AND EXISTS (SELECT FROM auth_user u WHERE u.id = m.person_id AND u.is_active)
    FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'mail_link: it is used, or too old'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    PERFORM set_config('jackpot.given_by', (
        SELECT username FROM auth_user WHERE id = it.person_id), true);
    UPDATE settlement_mailchange SET used_at = clock_timestamp() WHERE id = it.id;
    UPDATE auth_user SET email = it.email WHERE id = it.person_id;
    RETURN it.person_id;
END
$$;
REVOKE EXECUTE ON FUNCTION confirm_mail(text) FROM PUBLIC;
