"""A report's own lines, for people and for machines."""

from collections import Counter

from verifier.database.report import MOST_SHOWN, Report, Scope


def test_lines_for_people() -> None:
    report = Report(seconds=2.0)
    report.counts.update({"systems": 1, "entries": 5000})
    report.remarks.append("all is quiet")
    assert report.lines() == [
        "remark: all is quiet",
        "looked at 1 systems, 5,000 entries in 2.0 s (2,500 entries/s)",
        "all promises hold",
    ]
    for number in range(MOST_SHOWN + 1001):
        Scope(report, "main").add("books", f"transfer {number}", "it is wrong")
    Scope(report, "main").add("fold", "entry 1", "it is odd")
    lines = report.lines()
    assert lines[0] == "books: system main, transfer 0: it is wrong"
    assert lines[19:22] == [
        "books: system main, transfer 19: it is wrong",
        "books: and 1,001 more of this kind",
        "fold: system main, entry 1: it is odd",
    ]
    assert lines[-1] == "1,022 findings"
    assert Report().lines()[-2] == "looked at  in 0.0 s (0 entries/s)"


def test_the_same_for_machines() -> None:
    report = Report(seconds=1.23456)
    report.add("books", "it is wrong")
    report.remarks.append("all is quiet")
    report.counts["entries"] = 7
    assert report.as_json() == {
        "ok": False,
        "found": {"books": 1},
        "findings": [{"kind": "books", "says": "it is wrong"}],
        "remarks": ["all is quiet"],
        "counts": {"entries": 7},
        "seconds": 1.235,
    }


def test_what_another_process_found_is_taken_over() -> None:
    report, other = Report(), Report()
    for each, number in ((report, 15), (other, 30)):
        for _ in range(number):
            each.add("books", "it is wrong")
        each.counts["blocks"] += number
        each.remarks.append(f"{number} of them")
    other.add("log", "it is other")
    report.take_over(other)
    assert report.counts_by_kind == Counter(books=45, log=1)
    assert [kind for kind, _ in report.findings] == ["books"] * MOST_SHOWN + ["log"]
    assert report.counts == Counter(blocks=45)
    assert report.remarks == ["15 of them", "30 of them"]
