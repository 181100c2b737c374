"""The people behind a command: guards that ask for its act or for an agreed proposal.

Used in migrations only, one trigger for the kinds that a migration brings, each judged at the end
of the transaction, since a command is queued before its act. Asked of the roles of the running
processes, as in migration 0005: the owner, who could drop a guard, is not asked.
"""

from django.db.migrations import RunSQL

_OWNER = """
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
"""
_BY_ACT = """
    IF NOT EXISTS (
        SELECT FROM settlement_act a
        JOIN auth_user u ON u.id = a.person_id
        JOIN settlement_claim k ON k.id = a.claim_id
        WHERE k.system_id = NEW.system_id AND to_jsonb(k.number) = NEW.body -> 'hit'
          AND a.kind = NEW.kind AND a.command = NEW.number AND u.username = NEW.first
    ) THEN
        RAISE EXCEPTION 'acts: behind command % of system % stands no act of %',
            NEW.number, NEW.system_id, NEW.first USING ERRCODE = 'integrity_constraint_violation';
    END IF;
"""
_BY_PROPOSAL = """
    IF NOT EXISTS (
        SELECT FROM settlement_proposal p
        JOIN settlement_proposaldecision d ON d.proposal_id = p.id
        JOIN auth_user proposer ON proposer.id = p.person_id
        JOIN auth_user other ON other.id = d.person_id
        WHERE p.system_id = NEW.system_id AND p.kind = NEW.kind AND p.body = NEW.body
          AND d.agreed AND d.command = NEW.number
          AND proposer.username = NEW.first AND other.username = NEW.second
    ) THEN
        RAISE EXCEPTION 'acts: behind command % of system % stands no proposal of % that % agreed'
            ' to', NEW.number, NEW.system_id, NEW.first, NEW.second
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
"""


def by_act(name: str, *kinds: str) -> RunSQL:
    """Behind commands of these kinds stands an act of the same kind on that claim; reversible."""
    return _guard(name, kinds, _BY_ACT)


def by_proposal(name: str, *kinds: str) -> RunSQL:
    """Behind commands of these kinds stands a proposal of exactly that, agreed to; reversible."""
    return _guard(name, kinds, _BY_PROPOSAL)


def _guard(name: str, kinds: tuple[str, ...], asked: str) -> RunSQL:
    listed = ", ".join(f"'{kind}'" for kind in kinds)
    return RunSQL(
        f"""
        CREATE FUNCTION {name}() RETURNS trigger
        LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
        BEGIN {_OWNER} {asked} RETURN NULL; END
        $$;
        CREATE CONSTRAINT TRIGGER {name} AFTER INSERT ON jackpot_command
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
            WHEN (NEW.kind IN ({listed})) EXECUTE FUNCTION {name}();
        ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER {name};
        """,
        f"DROP TRIGGER {name} ON jackpot_command; DROP FUNCTION {name}();",
    )
