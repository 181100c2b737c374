"""Keys, notes, checkpoints and proofs that are not what they should be: what is said of them."""

import base64
import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from verifier import ed25519, growth, merkle, proof
from verifier.notes import (
    COSIGNATURE,
    ED25519,
    LARGEST,
    ML_DSA_44,
    ML_DSA_COSIGNATURE,
    MOST_SIGNATURES,
    OTHER,
    Checkpoint,
    Note,
    NoteError,
    PublicKey,
    Signature,
    cosigned,
    decoded,
    digest,
    is_name,
    key_id,
    number_of_witnesses,
    size_of,
)

SECRET, ORIGIN, WITNESS = bytes(range(32)), "harbour.example/main", "witness.example/w1"
LEAVES = [b"a", b"b", b"c"]
ROOT = merkle.of_pair(
    merkle.of_pair(merkle.of_leaf(b"a"), merkle.of_leaf(b"b")), merkle.of_leaf(b"c")
)


def encoded(value: bytes) -> str:
    return base64.b64encode(value).decode()


def key(kind: int = ED25519, name: str = ORIGIN, secret: bytes = SECRET) -> PublicKey:
    public = bytes([kind]) + ed25519.public_key(secret)
    return PublicKey.parse(f"{name}+{key_id(name, public).hex()}+{encoded(public)}")


def text(size: int = 3, root: bytes = ROOT, origin: str = ORIGIN) -> str:
    return f"{origin}\n{size}\n{encoded(root)}\n"


def line(of: PublicKey, stated: str, at: int = 5, secret: bytes = SECRET) -> str:
    """The line of a key under a text."""
    value = (
        at.to_bytes(8, "big") + ed25519.sign(secret, cosigned(of.kind, of.name, at, stated))
        if of.is_of_witness
        else ed25519.sign(secret, stated.encode())
    )
    return Signature(of.name, of.id, value).line()


LOG, COSIGNER = key(), key(COSIGNATURE, WITNESS)
SIGNED = f"{text()}\n{line(LOG, text())}"
COSIGNED = SIGNED + line(COSIGNER, text())

FAULTS: dict[str, tuple[Callable[[], Any], str]] = {
    "a key without a plus": (
        lambda: PublicKey.parse("x"), "x is no public key: it has the form NAME+ID+KEY",
    ),
    "a key of another id": (
        lambda: PublicKey.parse(f"a+00000000+{encoded(b'11')}"),
        f"a+00000000+{encoded(b'11')} is no public key: it has the form NAME+ID+KEY",
    ),
    "an id that is no number": (
        lambda: PublicKey.parse(f"a+xx+{encoded(b'11')}"), "the id of a key is not hexadecimal",
    ),
    "a key of one byte": (
        lambda: PublicKey.parse(f"a+{key_id('a', b'1').hex()}+{encoded(b'1')}"),
        f"a+{key_id('a', b'1').hex()}+MQ== is no public key: it has the form NAME+ID+KEY",
    ),
    "a key of no name": (
        lambda: PublicKey.parse(f"+{key_id('', b'11').hex()}+{encoded(b'11')}"),
        f"+{key_id('', b'11').hex()}+MTE= is no public key: it has the form NAME+ID+KEY",
    ),
    "a note without signatures": (
        lambda: Note.parse("text\n"), "a note ends with an empty line and its signatures",
    ),
    "a note that is cut off": (
        lambda: Note.parse(SIGNED[:-1]), "a note ends with an empty line and its signatures",
    ),
    "a note with a tab": (
        lambda: Note.parse(f"a\tb\n\n{line(LOG, text())}"), "a note has no control characters",
    ),
    "a note with too many": (
        lambda: Note.parse(f"a\n\n{line(LOG, text()) * (MOST_SIGNATURES + 1)}"),
        "a note has at most 64 signatures",
    ),
    **{
        f"a signature: {wrong}": (
            lambda wrong=wrong: Note.parse(f"a\n\n{wrong}\n"),  # type: ignore[misc]
            "a line below the note is no signature",
        )
        for wrong in ("- a MTIzNDU=", "— a+b MTIzNDU=", "— a MTIzNA==")
    },
    "a signature that is not base64": (
        lambda: Note.parse("a\n\n— a MTIz NDU=\n"), "something is not base64",
    ),
    "a checkpoint of two lines": (
        lambda: Checkpoint.parse(f"a\n1\n\n{line(LOG, text())}"),
        "a checkpoint has a name, a size and a root",
    ),
    "a checkpoint with an empty line": (
        lambda: Checkpoint.parse(f"\n1\n{encoded(ROOT)}\n\n{line(LOG, text())}"),
        "a checkpoint has a name, a size and a root",
    ),
    "a root of 31 bytes": (
        lambda: Checkpoint.parse(f"{text(root=ROOT[1:])}\n{line(LOG, text())}"),
        "a checkpoint has a root of 32 bytes",
    ),
    **{
        f"a size: {digits}": (
            lambda digits=digits: size_of(digits), f"{digits[:20]} is no size",  # type: ignore[misc]
        )
        for digits in ("", "x", "01", "-1", "٣", str(LARGEST + 1), "1" * 25)
    },
    "a hash of 31 bytes": (lambda: digest(encoded(ROOT[1:])), "a line of the proof is no hash"),
    "a witness's name of 256 bytes": (
        lambda: cosigned(ML_DSA_COSIGNATURE, "a" * 256, 1, text()),
        "aaaaaaaaaaaaaaaaaaaa has no length of 1 to 255 bytes",
    ),
    "a proof of another kind": (
        lambda: proof.findings("x\n\ny", []), "it does not begin with c2sp.org/tlog-proof@v1",
    ),
    "a proof without a note": (
        lambda: proof.findings("c2sp.org/tlog-proof@v1\n", []),
        "it does not begin with c2sp.org/tlog-proof@v1",
    ),
    **{
        f"a proof without a leaf, {number}": (
            lambda head=head: proof.findings(f"{head}\n\n{SIGNED}", []),  # type: ignore[misc]
            "it has no leaf: the line `extra`",
        )
        for number, head in enumerate((proof.HEADER, f"{proof.HEADER}\nindex 1"))
    },
    **{
        f"a proof without a place, {number}": (
            lambda head=head: proof.findings(f"{proof.HEADER}\nextra YQ=={head}\n\n{SIGNED}", []),  # type: ignore[misc]
            "it does not say where the leaf stands: the line `index`",
        )
        for number, head in enumerate(("", "\nplace 0"))
    },
    "growth of one checkpoint": (
        lambda: growth.findings(f"{growth.HEADER}\n\n{SIGNED}", []),
        "it does not have two checkpoints",
    ),
    "growth of another kind": (
        lambda: growth.findings(f"x\n\n{SIGNED[:-1]}\n\n{SIGNED}", []),
        "it does not begin with log-growth@v1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", FAULTS)
def test_what_is_said_of_what_cannot_be_read(what: str) -> None:
    parse, sentence = FAULTS[what]
    with pytest.raises(NoteError) as why:
        parse()
    assert str(why.value) == sentence


def test_what_can_just_be_read() -> None:
    assert size_of(str(LARGEST)) == LARGEST == 2**63 - 1
    assert size_of("0") == 0
    assert len(Note.parse(f"a\n\n{line(LOG, text()) * MOST_SIGNATURES}").signatures) == 1
    assert decoded("YQ==") == b"a"
    assert [is_name(each) for each in ("a", "", "a b", "a+b", "a\tb")] == [True, *[False] * 4]
    assert Note.parse(SIGNED).text == text()
    checkpoint = Checkpoint.parse(SIGNED)
    assert (checkpoint.origin, checkpoint.size, checkpoint.root) == (ORIGIN, 3, ROOT)


def test_what_a_checkpoint_lacks() -> None:
    checkpoint = Checkpoint.parse(COSIGNED)
    assert checkpoint.unsigned([LOG, COSIGNER], 1) == []
    nobody = "no key given signed the checkpoint as that log"
    assert checkpoint.unsigned([]) == [nobody]
    assert checkpoint.unsigned([key(name="harbour.example/other"), COSIGNER]) == [nobody]
    assert checkpoint.unsigned([key(secret=bytes(32))]) == [nobody]
    assert checkpoint.unsigned([LOG, COSIGNER], 2) == ["1 of the witnesses cosigned it, and not 2"]
    assert Checkpoint.parse(SIGNED).unsigned([LOG, COSIGNER], 1) == [
        "0 of the witnesses cosigned it, and not 1"
    ]


def test_lines_that_name_a_key_and_are_not_by_it() -> None:
    digits = COSIGNER.id.hex()
    for at in (0, LARGEST + 1):
        forged = Checkpoint.parse(SIGNED + line(COSIGNER, text(), at))
        assert forged.forgeries([COSIGNER]) == [
            f"the cosignature of {WITNESS} by key {digits} is not good"
        ]
        assert not COSIGNER.has_signed(forged.note)
    for at in (1, LARGEST):
        assert COSIGNER.has_signed(Note.parse(SIGNED + line(COSIGNER, text(), at)))
    both = Note.parse(COSIGNED + line(COSIGNER, text(4)))
    assert not COSIGNER.has_signed(both)
    assert COSIGNER.is_misused(both)
    other = Note.parse(f"{text(4)}\n{line(LOG, text())}")
    assert (LOG.has_signed(other), LOG.is_misused(other)) == (False, True)
    assert Checkpoint(ORIGIN, 4, ROOT, other).forgeries([LOG]) == []  # it just did not sign it


def test_what_keys_sign_in_words() -> None:
    public = bytes(1312)
    of_log = PublicKey(ORIGIN, b"1234", OTHER, ML_DSA_44 + public)
    of_witness = PublicKey(WITNESS, b"1234", ML_DSA_COSIGNATURE, public)
    keys = (LOG, COSIGNER, of_log, of_witness)
    assert [each.signature for each in keys] == [
        "signature",
        f"cosignature of {WITNESS}",
        "signature of ML-DSA-44",
        f"cosignature of ML-DSA-44 of {WITNESS}",
    ]
    assert [each.is_of_witness for each in keys] == [False, True, False, True]
    assert [each.is_checked_here for each in keys] == [True, True, False, False]
    assert [each.ml_dsa for each in keys] == [b"", b"", public, public]
    for short in (of_log.key[:-1], public, b"ML-DSA-4" + public + b"4"):
        assert PublicKey(ORIGIN, b"1234", OTHER, short).ml_dsa == b""
    assert PublicKey(ORIGIN, b"1234", ED25519, bytes(31)).is_checked_here is False


def test_what_a_witness_signs() -> None:
    assert cosigned(COSIGNATURE, WITNESS, 7, text()) == f"cosignature/v1\ntime 7\n{text()}".encode()
    message = cosigned(ML_DSA_COSIGNATURE, "ab", 7, text(3, ROOT, "xyz"))
    begin = b"subtree/v1\n\0\x02ab" + (7).to_bytes(8, "big") + b"\x03xyz"
    assert message == begin + bytes(8) + (3).to_bytes(8, "big") + ROOT
    assert key_id("a", b"1") == hashlib.sha256(b"a\n1").digest()[:4]


def test_witnesses_of_one_name_or_one_key_are_one() -> None:
    def cosigner(name: str, of: bytes) -> PublicKey:
        return PublicKey(name, b"", COSIGNATURE, of)

    one, two, three = cosigner("a", b"1"), cosigner("a", b"2"), cosigner("b", b"2")
    assert number_of_witnesses([]) == 0
    assert number_of_witnesses([one, two]) == number_of_witnesses([two, three]) == 1
    assert number_of_witnesses([one, three]) == 2
    assert number_of_witnesses([one, three, two]) == 1  # the last joins both
    assert number_of_witnesses([one, three, cosigner("c", b"3"), two]) == 2


def test_what_is_said_of_a_proof() -> None:
    path = [merkle.of_leaf(b"a"), merkle.of_leaf(b"c")]

    def verdict(index: int, steps: list[bytes], leaf: bytes = b"b") -> list[str]:
        lines = [proof.HEADER, f"extra {encoded(leaf)}", f"index {index}", *map(encoded, steps)]
        subject, faults = proof.findings("\n".join([*lines, "", SIGNED]), [LOG])
        assert subject == leaf.decode()
        return faults

    assert verdict(1, path) == []
    wrong = "the path does not lead from the leaf to the root of the checkpoint"
    assert verdict(1, path, b"x") == [wrong]
    assert verdict(0, path) == [wrong]
    assert verdict(1, path[:1]) == ["the path does not fit: the path is too short"]
    assert verdict(1, [*path, ROOT]) == ["the path does not fit: the path is too long"]
    assert verdict(3, path) == ["the path does not fit: a tree of 3 leaves has no leaf 3"]


def test_what_is_said_of_growth() -> None:
    old_root = merkle.of_pair(merkle.of_leaf(b"a"), merkle.of_leaf(b"b"))

    def verdict(old: str, new: str = SIGNED, path: bytes = merkle.of_leaf(b"c")) -> list[str]:
        document = "\n\n".join([f"{growth.HEADER}\n{encoded(path)}", old[:-1], new])
        subject, faults = growth.findings(document, [LOG])
        assert subject == f"{ORIGIN}: from 2 to 3 blocks"
        return faults

    good = f"{text(2, old_root)}\n{line(LOG, text(2, old_root))}"
    assert verdict(good) == []
    apart = "the hashes do not lead from the first checkpoint to the second"
    assert verdict(good, path=ROOT) == [apart]
    unsigned = "no key given signed the checkpoint as that log"
    assert verdict(good.replace(ORIGIN, "other", 1)) == [
        f"the checkpoints are of two logs: other and {ORIGIN}", f"of 2: {unsigned}",
    ]  # fmt: skip
    assert verdict(good, SIGNED.replace(f"\n{encoded(ROOT)}", f"\n{encoded(old_root)}")) == [
        apart, f"of 3: {unsigned}",
    ]  # fmt: skip


def test_growth_between_all_small_trees() -> None:
    """Each old size against each new one: the right path, and each hash of it changed."""

    def subtree(first: int, last: int) -> bytes:
        if last - first == 1:
            return merkle.of_leaf(b"%d" % first)
        middle = first + merkle._left(last - first)
        return merkle.of_pair(subtree(first, middle), subtree(middle, last))

    def steps(old: int, first: int, last: int, *, whole: bool) -> list[bytes]:
        if old == last - first:
            return [] if whole else [subtree(first, last)]
        left = merkle._left(last - first)
        if old <= left:
            return [*steps(old, first, first + left, whole=whole), subtree(first + left, last)]
        right = steps(old - left, first + left, last, whole=False)
        return [*right, subtree(first, first + left)]

    for size in range(1, 12):
        for old in range(1, size + 1):
            path, roots = steps(old, 0, size, whole=True), (subtree(0, old), subtree(0, size))
            assert merkle.grew(old, roots[0], size, roots[1], path)
            assert not merkle.grew(old, roots[1][::-1], size, roots[1], path)
            assert not merkle.grew(old, roots[0], size, roots[1][::-1], path)
            assert not merkle.grew(old, roots[0], size, roots[1], [*path, ROOT])
            for place in range(len(path)):
                forged = [*path[:place], ROOT, *path[place + 1 :]]
                assert not merkle.grew(old, roots[0], size, roots[1], forged)
                assert not merkle.grew(old, roots[0], size, roots[1], path[:place])
    assert merkle.grew(0, b"", 3, ROOT, [])
    assert merkle.grew(0, b"", 0, merkle.NOTHING, [])
    assert not merkle.grew(0, b"", 0, ROOT, [])
    assert not merkle.grew(0, b"", 3, ROOT, [ROOT])
    assert not merkle.grew(4, ROOT, 3, ROOT, [])
    assert not merkle.grew(-1, ROOT, 3, ROOT, [])
