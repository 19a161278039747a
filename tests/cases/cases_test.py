#!/usr/bin/python3
"""cases_test.py CARVE [ANSWERS]: inputs with their right answers. ANSWERS, tests/cases/answers.txt unless given, lists
under each input (`plan FILE`, with options where there are any) what its plan says:

  exit N                       how `carve plan` ends; 0 unless said
  cards [at most] N            cards in use
  NAME: [WALL] [PROFILE...] [MECHANISM]   every partition with a share of NAME is one of these
  NAME on MODEL                ... and on a card of this model
  NAME partitions N            so many partitions have a share of it
  NAME processes N             each of its shares has so many
  NAME at most N in one        no partition has more shares of it
  NAME apart                   nobody else is in its partitions, not even another replica
  NAME alone                   nobody else is on its cards
  NAME on one host             as all its cards are
  unplaced NAME N              so many of its replicas have no place
  finding CODE [SUBJECT]       there is such a finding
  no CODE                      there is none

Of every input besides, unasked: no partition has two tenants, and a plan takes less than two seconds of processor time.
"""

import json
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WALLS = ("card", "mig")
MECHANISMS = ("exclusive", "mps", "time-slicing")


def cases(answers):
    """[(input, [expectation, ...])]"""
    found = []
    for line in answers.read_text().splitlines():
        if line.startswith("plan "):
            found.append((line[5:], []))
        elif line.strip() and not line.startswith("#"):
            found[-1][1].append(line.strip())
    return found


class Answer:
    """A plan as the expectations ask for it."""

    def __init__(self, binary, words):
        command = [binary, "plan", *words.split(), "--json"]
        began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
        self.seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began  # whatever else the machine does
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

    def everything(self):
        """[(card, partition)]"""
        return [(card, partition) for card in self.plan["cards"] for partition in card["partitions"]]

    def mixed(self):
        """Partitions with shares of more than one tenant."""
        return [
            f"{card['node']}/{card['index']}: {partition['shares']}"
            for card, partition in self.everything()
            if len({share["tenant"] for share in partition["shares"]}) > 1
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


def about_plan(answer, words):
    """(whether it holds, what there is instead), or None: it is about a workload."""
    if words[0] == "exit":
        return answer.exit == int(words[1]), answer.exit
    if words[0] == "cards":
        used = len(answer.plan["cards"])
        return used <= int(words[-1]) if words[1] == "at" else used == int(words[1]), used
    if words[0] == "unplaced":
        missing = sum(entry["count"] for entry in answer.plan["unplaced"] if entry["workload"] == words[1])
        return missing == int(words[2]), missing
    found = [(finding["code"], finding["subject"]) for finding in answer.plan["findings"]]
    if words[0] == "finding":
        return any((code, subject)[: len(words) - 1] == tuple(words[1:]) for code, subject in found), found
    if words[0] == "no":
        return all(code != words[1] for code, _ in found), found
    return None


def about_workload(answer, name, what):
    """The same of what comes after a workload's name."""
    places = answer.places(name)
    if what[0] == "partitions":
        return answer.partitions(name) == int(what[1]), answer.partitions(name)
    if what[0] == "processes":
        real = {share["processes"] for _, _, share in places}
        return real == {int(what[1])}, real
    if what[:2] == ["at", "most"]:
        most = max((sum(s["workload"] == name for s in p["shares"]) for _, p, _ in places), default=0)
        return 0 < most <= int(what[2]), most
    if what == ["apart"]:
        real = sorted({len(partition["shares"]) for _, partition, _ in places})
        return real == [1], real
    if what == ["alone"]:
        real = {share["workload"] for card, _, _ in places for p in card["partitions"] for share in p["shares"]}
        return real == {name} and all(len(card["partitions"]) == 1 for card, _, _ in places), real
    if what == ["on", "one", "host"]:
        real = {card["node"] for card, _, _ in places}
        return len(real) == 1, real
    if what[0] == "on":
        real = {card["model"] for card, _, _ in places}
        return real == {what[1]}, real
    raise ValueError(f"no such expectation: {name} {' '.join(what)}")


def holds(answer, expectation):
    """(whether it does, what there is instead)."""
    words = expectation.split()
    if words[0].endswith(":"):
        return placed_as(answer, words[0][:-1], words[1:])
    return about_plan(answer, words) or about_workload(answer, words[0], words[1:])


def unasked(answer):
    """[(what holds of every plan, whether it does, what there is instead)]"""
    return [
        ("no partition has two tenants", not answer.mixed(), answer.mixed()[:1]),
        ("takes less than two seconds", answer.seconds < 2, round(answer.seconds, 1)),
    ]


def main():
    answers = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "tests" / "cases" / "answers.txt"
    passed = failed = 0
    for words, expectations in cases(answers):
        answer = Answer(sys.argv[1], words)
        if not any(expectation.startswith("exit ") for expectation in expectations):
            expectations = ["exit 0", *expectations]
        results = [(expectation, *holds(answer, expectation)) for expectation in expectations] + unasked(answer)
        for expectation, good, real in results:
            passed += bool(good)
            failed += not good
            if not good:
                print(f"FAILED {words}: {expectation}: got {real} {answer.message.strip()[:500]}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
