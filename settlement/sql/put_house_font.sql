-- Keeps a font of the house for a casino's screens, or removes it (no content), for whoever may manage
-- screens there; screens that were in it are in the plain one then. What is written down is its
-- name and digest. `look`: colours where the house chose none yet.
CREATE FUNCTION put_house_font(
    who integer, of_casino bigint, named text, look jsonb, content bytea)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
BEGIN
    PERFORM set_config(
        'jackpot.given_by', require_set_up(who, 'manage_screens', of_casino), true);
    IF length(content) > 512000 OR substr(content, 1, 4) <> 'wOF2'::bytea THEN
        RAISE EXCEPTION 'screen: this is no font'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    INSERT INTO jackpot_houselook AS l
        (casino_id, background, text, accent, font, picture_type, picture_digest,
         font_name, font_file, font_digest)
    VALUES (of_casino, look ->> 'background', look ->> 'text', look ->> 'accent',
            CASE WHEN content IS NULL THEN 'sans' ELSE 'house' END, '', '',
            named, content, coalesce(encode(sha256(content), 'hex'), ''))
    ON CONFLICT (casino_id) DO UPDATE
    SET font = CASE WHEN content IS NOT NULL THEN 'house' WHEN l.font = 'house' THEN 'sans'
                    ELSE l.font END,
        font_name = excluded.font_name, font_file = excluded.font_file,
        font_digest = excluded.font_digest;
    UPDATE jackpot_screen SET version = version + 1
    WHERE casino_id = of_casino AND ended_at IS NULL;
    RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION put_house_font(integer, bigint, text, jsonb, bytea) FROM PUBLIC;
