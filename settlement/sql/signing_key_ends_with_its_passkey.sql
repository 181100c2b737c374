-- Ends a signing key when its passkey ends, by whoever ends that; it never signs again. Whoever signs
-- at that moment (signature_is_good holds the key FOR KEY SHARE) is done before, or waits and is refused.
CREATE FUNCTION signing_key_ends_with_its_passkey() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM settlement_signingkey WHERE factor = NEW.id FOR UPDATE;
    INSERT INTO settlement_signingkeyend (key_id, at, by)
    SELECT k.id, clock_timestamp(),
           coalesce((SELECT username FROM auth_user WHERE id = NEW.ended_by_id), session_user)
    FROM settlement_signingkey k WHERE k.factor = NEW.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER signing_key_ends_with_its_passkey AFTER UPDATE ON settlement_secondfactor
    FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL)
    EXECUTE FUNCTION signing_key_ends_with_its_passkey();
ALTER TABLE settlement_secondfactor ENABLE ALWAYS TRIGGER signing_key_ends_with_its_passkey;
