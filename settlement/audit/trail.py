"""The audit trail: who did what, when, from where, on what, before and after. A selector.

One read model over what the database writes down by itself: acts of people (`settlement_record`),
changes of set-up, the security log, and the access notes of the web process. Each part is read
along an index, the newest first, and no further than a page.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from psycopg import sql

from settlement.audit.trail_words import ACCESS, ACTS, KINDS, SET_UP, SOURCES
from settlement.core.report_query import EARLIEST, LATEST, ask, bind, in_words
from settlement.people.rights.permissions import may, require
from settlement.people.shared.security_log import What
from tables.visibility.rehearsals import rehearses
from tables.visibility.scope import visible, visible_casinos

# What opens an area; a person who sets up sees no claims and no amounts.
_ACCESS, _SET_UP, _CLAIMS = "view_accessnote", "view_set_up", "view_claim"


def areas_of(user: Any) -> list[str]:
    """The areas that the person may read; NotPermitted for who may read none.

    Set-up by who sees who may do what; the doors by who reads the security log; acts of claims,
    floor and money by who reads either, and claims.
    """
    reads = may(user, _ACCESS) or may(user, _SET_UP)
    if not reads:
        require(user, _ACCESS)
    areas = [ACCESS] if may(user, _ACCESS) else []
    areas += [SET_UP] if may(user, _SET_UP) else []
    return areas + (list(SOURCES) if may(user, _CLAIMS) else [])


@dataclass(frozen=True, slots=True)
class Place:
    """A row's place: the next page goes on before it."""

    at: dt.datetime
    part: int
    id: int

    @classmethod
    def parse(cls, text: str) -> Place | None:
        """What `str` gave; None where it is none."""
        try:
            at, part, row = text.split("_")
            return cls(dt.datetime.fromisoformat(at), int(part), int(row))
        except ValueError:
            return None

    def __str__(self) -> str:
        return f"{self.at.isoformat()}_{self.part}_{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked for; empty texts: everything."""

    areas: tuple[str, ...]
    start: dt.datetime = EARLIEST
    end: dt.datetime = LATEST
    person: str = ""  # a log-in
    subject: str = ""  # main-14, main/t3, a log-in
    address: str = ""  # or how it begins


# Of each part: where it is read from, and its columns under the names of the whole.
_PART = """
    SELECT {part} AS part, t.id, t.at, {who} AS who, {address} AS address, {act} AS act,
           {kind} AS kind, {subject} AS subject, {before} AS before, {after} AS after,
           {system} AS system, {entry} AS entry, {number} AS number
    FROM {table} AS t {joins}
    WHERE t.at >= {start} AND t.at < {end} AND {which}
      AND ({person} = '' OR {who} = {person} OR starts_with({who}, {person} || ' and ')
           OR right({who}, length({person}) + 5) = ' and ' || {person})
      AND ({about} = '' OR lower({subject}) = {about})
      AND ({came_from} = '' OR starts_with({address}, {came_from}))
"""
_NOTHING = {
    "before": "'{{}}'::jsonb",
    "joins": "",
    "system": "NULL::text",
    **dict.fromkeys(("entry", "number"), "NULL::bigint"),
}
_OF_PEOPLE_SEEN = """({casinos}::bigint[] IS NULL OR t.username IN (
    SELECT p.username FROM auth_user p JOIN settlement_rolechange r ON r.person_id = p.id
    WHERE r.casino_id = ANY({casinos})))"""
_OF_CASINOS_SEEN = """({casinos}::bigint[] IS NULL OR t.casino_id = ANY({casinos})
    OR ({all_casinos} AND t.casino_id IS NULL))"""
_ACTS_OF_PEOPLE: Mapping[str, str] = {
    "table": "settlement_record",
    "joins": """JOIN tables_jackpotsystem s ON s.id = t.system_id
        CROSS JOIN LATERAL (SELECT t.said::jsonb AS said) AS j
        LEFT JOIN settlement_proposal p ON t.source = 'settlement_proposaldecision'
             AND p.id = (j.said ->> 'proposal_id')::bigint""",
    "who": "t.by",
    "address": "t.address",
    "act": """CASE WHEN t.source = 'settlement_proposaldecision'
        AND j.said ->> 'agreed' = 'false' THEN 'withdrawn' ELSE t.source END""",
    "kind": "concat(t.source, ':', coalesce(j.said ->> 'kind', j.said ->> 'purpose', p.kind))",
    "subject": "t.subject",
    "before": "'{{}}'::jsonb",
    "after": "j.said",
    "system": "s.code",
    # Of what has a command its own entry; else the one that took it under its hash.
    "entry": """(SELECT e.seq FROM jackpot_entry e WHERE e.system_id = t.system_id
        AND e.command = coalesce((j.said ->> 'command')::bigint, t.command))""",
    # Of the object that has a page: of what was said of a proposal that proposal's.
    "number": "coalesce((j.said ->> 'proposal_id')::bigint, t.row)",
    # What a casino decides is recorded for each of its systems, and shown once.
    "which": """t.source = ANY({sources}) AND t.by <> ''
        AND ({systems}::bigint[] IS NULL OR t.system_id = ANY({systems}))
        AND NOT EXISTS (SELECT FROM settlement_record o WHERE (o.source, o.row) = (t.source, t.row)
            AND o.id < t.id AND ({systems}::bigint[] IS NULL OR o.system_id = ANY({systems})))""",
}
_CHANGES: Mapping[str, str] = {
    **_NOTHING,
    "table": "settlement_setupchange",
    "who": "t.by",
    "address": "t.address",
    "act": "t.what",
    "kind": "'set_up:' || t.kind",
    "subject": "t.subject",
    "before": "t.before",
    "after": "t.after",
    "which": """({casinos}::bigint[] IS NULL OR t.casino_id = ANY({casinos})
        OR ({all_casinos} AND t.casino_id IS NULL) OR (t.kind = 'person' AND t.subject IN (
            SELECT p.username FROM auth_user p JOIN settlement_rolechange r ON r.person_id = p.id
            WHERE r.casino_id = ANY({casinos}))))""",
}
_SET_UP_PROPOSALS: Mapping[str, str] = {
    **_NOTHING,
    "table": "settlement_setupproposal",
    "joins": """JOIN auth_user u ON u.id = t.person_id
        LEFT JOIN tables_casino c ON c.id = t.casino_id""",
    "who": "u.username",
    "address": "t.address",
    "act": "'set_up_proposed'",
    "kind": "'set_up_proposal:' || t.kind",
    "subject": "coalesce(t.body ->> 'username', c.code, t.body ->> 'name', '')",
    "after": "t.body",
    "which": _OF_CASINOS_SEEN,
}
_SET_UP_DECISIONS: Mapping[str, str] = {
    **_SET_UP_PROPOSALS,
    "table": "settlement_setupdecision",
    "joins": """JOIN auth_user u ON u.id = t.person_id
        JOIN settlement_setupproposal p ON p.id = t.proposal_id
        LEFT JOIN tables_casino c ON c.id = p.casino_id""",
    "act": "CASE WHEN t.agreed THEN 'set_up_agreed' ELSE 'withdrawn' END",
    "kind": "'set_up_proposal:' || p.kind",
    "subject": "coalesce(p.body ->> 'username', c.code, p.body ->> 'name', '')",
    "after": "jsonb_strip_nulls(jsonb_build_object('note', nullif(t.note, '')))",
    "which": _OF_CASINOS_SEEN.replace("t.casino_id", "p.casino_id"),
}
_SECURITY: Mapping[str, str] = {
    **_NOTHING,
    "table": "settlement_securityevent",
    "who": "t.username",
    "address": "t.address",
    "act": "t.what",
    "kind": f"'{ACCESS}'",
    "subject": "t.username",
    "after": """jsonb_strip_nulls(jsonb_build_object(
        'detail', nullif(t.detail, ''), 'database_role', t.by))""",
    "which": _OF_PEOPLE_SEEN,
}
_NOTES: Mapping[str, str] = {
    **_SECURITY,
    "table": "settlement_accessnote",
    "kind": f"CASE t.what WHEN '{What.FILE_OPENED}' THEN '{ACCESS}:file' ELSE '{ACCESS}' END",
    "subject": f"""CASE t.what WHEN '{What.FILE_OPENED}' THEN split_part(t.detail, ' ', 1)
        ELSE t.username END""",
    "after": "jsonb_strip_nulls(jsonb_build_object('detail', nullif(t.detail, '')))",
    # What a version before noted of log-ins is not read.
    "which": f"t.what = ANY({{notes}}) AND {_OF_PEOPLE_SEEN}",
}

# What a row says of itself beside who, when and about what: keys of machines are left out.
_NOISE = [
    *("id", "key", "at", "kind", "purpose", "command", "seal", "digest", "content", "address"),
    *("person_id", "said_by_id", "outgoing_id", "incoming_id", "system_id", "casino_id"),
    *("claim_id", "proposal_id", "ruling_id", "incident_id", "play_id", "finding_id", "payout_id"),
    *("identification_id", "table_id", "by", "cleared_by", "closed_by", "begun_by", "sha256"),
    *("first", "second", "report_entry", "agreed", "public_key", "credential_id", "factor"),
]
_PARTS: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("", {**_ACTS_OF_PEOPLE, "after": "j.said - {noise}::text[]"}),
    (SET_UP, _CHANGES),
    (SET_UP, _SET_UP_PROPOSALS),
    (SET_UP, _SET_UP_DECISIONS),
    (ACCESS, _SECURITY),
    (ACCESS, _NOTES),
)
_WORDS = """
    SELECT w.*, concat_ws({colon}, {acts}, {kinds}) AS words,
           coalesce((SELECT nullif(trim(concat_ws(' ', u.first_name, u.last_name)), '')
                     FROM auth_user u WHERE u.username = w.who), w.who) AS person
    FROM ({whole}) AS w
"""
_FIRST = """
    SELECT * FROM ({part}) AS one WHERE {place} ORDER BY at {way}, id {way} LIMIT {limit}
"""
_PLACE = "(one.at, one.part, one.id) {sign} ({at}, {part}, {id}) AND one.at {sign}= {at}"
_WHOLE = "SELECT * FROM ({whole}) AS first ORDER BY {order} LIMIT {limit}"
_ORDER = "at {way}, part {way}, id {way}"


def query(question: Question) -> sql.Composed:
    """All of it in one query; of the casinos that are seen."""
    return _in_words(sql.SQL(" UNION ALL ").join(_parts(question)))


def page(
    question: Question, rows: int, place: Place | None = None, *, is_upwards: bool = False
) -> list[dict[str, Any]]:
    """The newest rows, or the oldest, or those behind a place: no part is read further."""
    way = sql.SQL("ASC" if is_upwards else "DESC")
    behind: sql.Composable = sql.SQL("true")
    if place is not None:
        sign = sql.SQL(">" if is_upwards else "<")
        behind = bind(_PLACE, sign=sign, at=place.at, part=place.part, id=place.id)
    firsts = [
        bind(_FIRST, part=part, place=behind, way=way, limit=rows) for part in _parts(question)
    ]
    whole = sql.SQL(" UNION ALL ").join(sql.SQL("({})").format(each) for each in firsts)
    order = bind(_ORDER, way=way)
    limited = bind(_WHOLE, whole=whole, order=order, limit=rows)
    return ask(bind("{words} ORDER BY {order}", words=_in_words(limited), order=order))


def _parts(question: Question) -> list[sql.Composed]:
    """The parts of the areas that are wanted; of none a part without rows."""
    scope = visible()
    sources = [source for area in question.areas for source in SOURCES.get(area, ())]
    values = {
        "start": question.start,
        "end": question.end,
        "person": question.person,
        "about": question.subject.casefold(),
        "came_from": question.address,
        "sources": sources,
        "noise": _NOISE,
        "notes": What.values,
        "systems": None if scope is None else sorted(scope.systems),
        "casinos": [] if rehearses() else visible_casinos(),  # what is set up is of neither
        "all_casinos": scope is not None and scope.all_casinos,
    }
    return [
        _part(number, columns, values)
        for number, (area, columns) in enumerate(_PARTS)
        if (area in question.areas if area else sources)
    ] or [_part(0, _PARTS[0][1], {**values, "sources": []})]


def _part(number: int, columns: Mapping[str, str], values: Mapping[str, Any]) -> sql.Composed:
    parts = {name: bind(text, **values) for name, text in columns.items()}
    return bind(_PART, part=number, **values, **parts)


def _in_words(whole: sql.Composable) -> sql.Composed:
    """With what was done, and who did it, as people read it."""
    return bind(
        _WORDS,
        whole=whole,
        colon=": ",
        acts=_words_of("w.act", ACTS),
        kinds=_words_of("w.kind", KINDS),
    )


def _words_of(column: str, words: Mapping[str, str]) -> sql.Composed:
    """Nothing where there are none."""
    labels = in_words(column, words)
    return bind("nullif({known}, {column})", known=labels, column=sql.SQL(column))
