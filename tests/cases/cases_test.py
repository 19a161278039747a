#!/usr/bin/python3
"""cases_test.py CARVE: small inputs with their right answers. answers.txt lists, under each input, what its plan says:

  exit N                       how `carve plan` ends; 0 unless said
  cards N                      cards in use
  NAME: [WALL] [PROFILE...] [MECHANISM]   every partition with a share of NAME is one of these
  NAME on MODEL                ... and on a card of this model
  NAME partitions N            so many partitions have a share of it
  NAME processes N             each of its shares has so many
  unplaced NAME N              so many of its replicas have no place
  finding CODE SUBJECT         there is such a finding
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WALLS = ("card", "mig")
MECHANISMS = ("exclusive", "mps", "time-slicing")


def cases():
    """[(input, [expectation, ...])]"""
    found = []
    for line in (ROOT / "tests" / "cases" / "answers.txt").read_text().splitlines():
        if line.startswith("plan "):
            found.append((line[5:], []))
        elif line.strip() and not line.startswith("#"):
            found[-1][1].append(line.strip())
    return found


class Answer:
    """A plan as the expectations ask for it."""

    def __init__(self, binary, path):
        done = subprocess.run([binary, "plan", path, "--json"], cwd=ROOT, capture_output=True, text=True, timeout=60)
        self.exit, self.message = done.returncode, done.stderr
        nothing = {"cards": [], "unplaced": [], "findings": []}
        self.plan = json.loads(done.stdout) if done.returncode in (0, 1) else nothing

    def places(self, name):
        """[(card, partition, share)] of a workload."""
        return [
            (card, partition, share)
            for card in self.plan["cards"]
            for partition in card["partitions"]
            for share in partition["shares"]
            if share["workload"] == name
        ]

    def partitions(self, name):
        return len({(card["node"], card["index"], partition["start"]) for card, partition, _ in self.places(name)})


def placed_as(answer, name, words):
    allowed = {
        "wall": [word for word in words if word in WALLS],
        "mechanism": [word for word in words if word in MECHANISMS],
        "profile": [word for word in words if word not in WALLS + MECHANISMS],
    }
    found = answer.places(name)
    real = sorted({tuple(str(partition[key]) for key in allowed) for _, partition, _ in found})
    good = found and all(
        partition[key] in values for _, partition, _ in found for key, values in allowed.items() if values
    )
    return good, real


def holds(answer, expectation):
    """(whether it does, what there is instead)."""
    words = expectation.split()
    if words[0].endswith(":"):
        return placed_as(answer, words[0][:-1], words[1:])
    if words[0] == "exit":
        return answer.exit == int(words[1]), answer.exit
    if words[0] == "cards":
        return len(answer.plan["cards"]) == int(words[1]), len(answer.plan["cards"])
    if words[0] == "unplaced":
        missing = sum(entry["count"] for entry in answer.plan["unplaced"] if entry["workload"] == words[1])
        return missing == int(words[2]), missing
    if words[0] == "finding":
        found = [(finding["code"], finding["subject"]) for finding in answer.plan["findings"]]
        return tuple(words[1:]) in found, found
    if words[1] == "partitions":
        return answer.partitions(words[0]) == int(words[2]), answer.partitions(words[0])
    if words[1] == "processes":
        real = {share["processes"] for _, _, share in answer.places(words[0])}
        return real == {int(words[2])}, real
    if words[1] == "on":
        real = {card["model"] for card, _, _ in answer.places(words[0])}
        return real == {words[2]}, real
    raise ValueError(f"answers.txt: no such expectation: {expectation}")


def main():
    passed = failed = 0
    for path, expectations in cases():
        answer = Answer(sys.argv[1], path)
        if not any(expectation.startswith("exit ") for expectation in expectations):
            expectations = ["exit 0", *expectations]
        for expectation in expectations:
            good, real = holds(answer, expectation)
            passed += bool(good)
            failed += not good
            if not good:
                print(f"FAILED {path}: {expectation}: got {real} {answer.message.strip()[:500]}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
