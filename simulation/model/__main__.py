"""`make model`: look at every state of all cases, and draw the behaviours that are replayed."""

import argparse
import sys
import time

from simulation.model import cases, checker, traces


def main() -> int:
    """Print what was found of each case; 1 where a promise is broken, or a mistake not found."""
    parser = argparse.ArgumentParser(prog="make model")
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    parser.add_argument("--traces", action="store_true", help="store other behaviours to replay")
    options = parser.parse_args()
    if reason := checker.missing():
        sys.exit(reason)
    wrong = 0
    for case in (*cases.RIGHT, *cases.LARGE, *cases.WRONG):
        if options.only in case.name:
            wrong += not _is_right(case)
    if options.traces:
        traces.write(traces.random_walks())
    return int(wrong > 0)


def _is_right(case: cases.Case) -> bool:
    start_s = time.monotonic()
    result = checker.check(case)
    count = f"{result.states} states" if result.states else "stopped there"
    verdict = f"{result.broken} is broken in {len(result.trace) - 1} steps"
    lines = [
        f"{case.name:32} {time.monotonic() - start_s:6.1f} s, {count}, "
        + (verdict if result.broken else "all hold")
    ]
    if result.broken != case.breaks:
        lines += map(str, result.trace)
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
    return result.broken == case.breaks


if __name__ == "__main__":
    sys.exit(main())
