#!/usr/bin/python3
"""tally.py FOLDER: counts the test cases of one ctest run, as one line "passed failed skipped".

FOLDER holds ctest.xml (one entry a program) and cases/*.json (what each GoogleTest program says of its cases). A
program that reports its cases counts as them; any other program counts as one case. A program that failed although none
of the cases that it reported did (it crashed, or hung) counts as one failure more. Programs that are no GoogleTest may
report by a line "N passed, N failed" of their own, the last of their output.
"""

import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree


def cases_of(report):
    """(passed, failed, skipped) of one GoogleTest report."""
    skipped = sum(
        case.get("result") in ("SKIPPED", "SUPPRESSED") or case.get("status") == "NOTRUN"
        for suite in report.get("testsuites", [])
        for case in suite.get("testsuite", [])
    )
    failed = report["failures"] + report.get("errors", 0)
    return report["tests"] - failed - skipped, failed, skipped


def last_line_counts(output):
    lines = (output or "").strip().splitlines()
    match = re.fullmatch(r"(\d+) passed, (\d+) failed", lines[-1].strip()) if lines else None
    return (int(match[1]), int(match[2]), 0) if match else None


def counts_of(entry, folder):
    """(passed, failed, skipped) of one entry of ctest.xml."""
    status = entry.get("status")
    if status in ("notrun", "disabled"):
        return 0, 0, 1
    report = folder / "cases" / (entry.get("name").replace("/", "_") + "_test.json")
    counts = None
    if report.exists():
        try:
            counts = cases_of(json.loads(report.read_text()))
        except (json.JSONDecodeError, KeyError):
            counts = None  # it died while writing
    counts = counts or last_line_counts(entry.findtext("system-out"))
    if counts is None:
        return (1, 0, 0) if status == "run" else (0, 1, 0)
    passed, failed, skipped = counts
    if status != "run" and failed == 0:
        failed = 1
    return passed, failed, skipped


def main():
    folder = pathlib.Path(sys.argv[1])
    totals = [0, 0, 0]
    for entry in ElementTree.parse(folder / "ctest.xml").getroot().iter("testcase"):
        totals = [total + count for total, count in zip(totals, counts_of(entry, folder))]
    print(*totals)


if __name__ == "__main__":
    main()
