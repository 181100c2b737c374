"""Vectors of RFC 6962, a key for the log, and its public key as the verifier reads it."""

from django.utils import timezone
from pytest_django import Settings

from jackpot.models import Checkpoint, WitnessAnswer
from jackpot.transparency import merkle, notes, tree
from tables.models import JackpotSystem
from verifier.notes import Checkpoint as Published
from verifier.notes import PublicKey
from verifier.witness.witness import Witness

KEY = "77" * 32
# The leaves and roots of the tests of Certificate Transparency.
LEAVES = [
    bytes.fromhex(each)
    for each in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def sign_checkpoints(settings: Settings, key: str = KEY) -> PublicKey:
    """Give the log of system `main` a key; the verifier's view of it."""
    settings.CHECKPOINT_ORIGIN = "harbour.example"
    settings.CHECKPOINT_SIGNING_KEY = key
    return PublicKey.parse(notes.keys()[0].verifier_key("harbour.example/main"))


def log_of(system: JackpotSystem, sizes: list[int]) -> list[bytes]:
    """A log of leaves without blocks, with checkpoints of these sizes; the hashes of its leaves."""
    hashes: list[bytes] = [merkle.leaf_hash(str(number).encode()) for number in range(sizes[-1])]
    before, peaks, tail = 0, list[bytes](), list[bytes]()
    for size in sizes:
        peaks = merkle.append(peaks, before, hashes[before:size])
        tail = tree.add_tiles(system.pk, before, tail, hashes[before:size])
        root = merkle.root_of(peaks)
        Checkpoint.objects.create(
            system=system,
            size=size,
            root=root,
            at=timezone.now(),
            cause="interval",
            note=notes.signed(notes.origin_of(system.code), size, root, notes.keys()),
            leaves=b"".join(hashes[before:size]),
            peaks=[peak.hex() for peak in peaks],
            pools={"royal": size},
        )
        before = size
    return hashes


def cosign(witness: Witness, checkpoint: Checkpoint, *, status: int = 200) -> WitnessAnswer:
    """Store what that witness says of a checkpoint that it takes for the first one of the log."""
    published = Published.parse(checkpoint.note)
    return WitnessAnswer.objects.create(
        checkpoint=checkpoint,
        witness="witness.example/w1",
        at=timezone.now(),
        status=status,
        text=witness._cosignature(published) if status == 200 else "409 5",
    )
