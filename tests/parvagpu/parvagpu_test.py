#!/usr/bin/python3
"""parvagpu_test.py CARVE MULTIPLIER...: the plans for the ParvaGPU scenarios take no more cards than the optimum
allows, meet every rate and objective by the measured tables, and their bound is one. Timing is for bench/."""

import json
import sys
import tempfile

sys.dont_write_bytecode = True
import scenarios  # noqa: E402


def complaints(binary, row, folder):
    path = scenarios.workload_file(row, folder)
    answer = json.loads(scenarios.printed_plan(binary, path))
    summary = answer["summary"]
    cards = summary["cards_used"]
    wrong = scenarios.unmet(path, answer)
    if cards > scenarios.most_cards(row):
        wrong.append(f"{cards} cards; the optimum is {row['exact']}")
    if cards < int(row["exact"]):
        wrong.append(f"{cards} cards are fewer than the optimum of {row['exact']}: something is not counted")
    if cards != len(answer["cards"]):
        wrong.append(f"the summary says {cards} cards, the plan lists {len(answer['cards'])}")
    if not 0 < summary["lower_bound"] <= int(row["exact"]):
        wrong.append(f"a lower bound of {summary['lower_bound']} where {row['exact']} cards suffice")
    return cards, wrong


def main():
    binary, multipliers = sys.argv[1], [int(argument) for argument in sys.argv[2:]]
    failed = passed = 0
    with tempfile.TemporaryDirectory() as folder:
        for row in (row for multiplier in multipliers for row in scenarios.expectations(multiplier)):
            title = f"{row['scenario']} x{row['multiplier']}, {row['max_processes']} processes"
            try:
                cards, wrong = complaints(binary, row, folder)
            except Exception as error:  # a failed case must not hide the others
                cards, wrong = "no", [f"{type(error).__name__}: {error}"]
            failed += bool(wrong)
            passed += not wrong
            print(f"{'FAILED' if wrong else 'ok    '} {title}: {cards} cards")
            for sentence in wrong[:5]:
                print(f"         {sentence}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
