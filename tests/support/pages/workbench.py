"""A review of footage as the form of the workbench sends it."""

REVIEW = {
    "reviewer": "Tane Rua",
    "camera": "12",
    "since": "2026-11-21T23:10:00",
    "until": "2026-11-21T23:18:00",
    "reference": "DVR-4411",
    "finding": "Hand tabled, pot not pushed",
}
