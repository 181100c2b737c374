-- Whether this connection shows an access token of the person that may record such a row in that
-- system: by a scope that the person gave it, and nothing that decides about money. Shown is the
-- token itself, in the setting jackpot.shown; its hash stands in the table. `said`: the row; who a
-- player is no token says, but who shares what one won.
CREATE FUNCTION token_acts(who integer, source text, said jsonb, of_system bigint)
RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM unnest(string_to_array(current_setting('jackpot.shown', true), ' ')) AS one
        JOIN settlement_accesstoken t
            ON t.digest = encode(sha256(convert_to(one, 'UTF8')), 'hex')
        JOIN auth_user u ON u.id = t.person_id AND u.is_active
        WHERE t.person_id = who AND t.revoked_at IS NULL AND t.expires_at > clock_timestamp()
          AND (t.systems IS NULL OR of_system = ANY (t.systems))
          AND CASE
              WHEN source IN ('settlement_note', 'settlement_footage') THEN 'write:evidence'
              WHEN source = 'settlement_sharer'
                  OR source = 'settlement_identification' AND said ->> 'shares' IS NOT NULL
                  THEN 'write:sharers'
              WHEN source = 'settlement_incident' THEN 'write:incidents'
              WHEN source IN ('settlement_moneycount', 'settlement_taxremittance',
                              'settlement_formfiling', 'settlement_filingfile')
                  THEN 'write:drop'
              WHEN source = 'settlement_webhookdelivery' THEN 'write:webhooks'
              WHEN source IN ('settlement_proposal', 'settlement_retypedfigures')
                  OR source = 'settlement_action'
                      AND said ->> 'kind' IN ('propose_rejection', 'dispute', 'hold_claim')
                  THEN 'write:proposals'
          END = ANY (t.scopes))
$$;
