#!/usr/bin/python3
"""teams_test.py CARVE: what docs/teams.md says of the four teams, beyond tests/teams/answers.txt.

REFUSED: a plan is changed by hand into what somebody might wish for; `carve check` refuses it, exit 1, and a violation
has these words. VARIED: a file is changed; so many cards, and so many replicas without a place.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def seats(plan, workload):
    """[(card, partition, share)] of a workload."""
    return [
        (card, partition, share)
        for card in plan["cards"]
        for partition in card["partitions"]
        for share in partition["shares"]
        if share["workload"] == workload
    ]


def move(seat, partition, mechanism):
    """Takes a share from its partition and puts it into another one."""
    _, old, share = seat
    old["shares"].remove(share)
    partition["shares"].append(share)
    if mechanism == "mps":
        for one in partition["shares"]:
            one["memory_limit_mib"], one["thread_percent"] = one["memory_mib"], 100 // len(partition["shares"])
    partition["mechanism"] = mechanism


def two_students_in_one_slice(plan):
    one, other = seats(plan, "lab")[:2]
    move(one, other[1], "time-slicing")


def a_fifth_student_on_a_t4(plan):
    here = seats(plan, "lab-shared")[0][1]
    there = next(seat for seat in seats(plan, "lab-shared") if seat[1] is not here)
    move(there, here, "time-slicing")


def a_student_beside_the_volunteers(plan):
    move(seats(plan, "lab")[0], seats(plan, "lab-shared")[0][1], "time-slicing")


def dynamics_in_one_slice(plan):
    dynamics, batch = seats(plan, "molecular-dynamics")[0], seats(plan, "course-batch")[0]
    dynamics[1]["shares"], batch[1]["shares"] = batch[1]["shares"], dynamics[1]["shares"]


def training_over_two_hosts(plan):
    ours, theirs = seats(plan, "data-parallel")[0][0], seats(plan, "plane-waves")[0][0]
    ours["partitions"], theirs["partitions"] = theirs["partitions"], ours["partitions"]


def two_language_models_on_one_card(plan):
    one, other = seats(plan, "llm-32b")[:2]
    move(one, other[1], "mps")


def a_promise_beside_another(plan):
    one, other = seats(plan, "reranker")[:2]
    move(one, other[1], "mps")


def outside_code_under(mechanism):
    def change(plan):
        move(seats(plan, "outside")[0], seats(plan, "unit")[0][1], mechanism)

    return change


def two_outsiders_together(plan):
    one, other = seats(plan, "outside")[:2]
    move(one, other[1], "time-slicing")


def a_neighbour_of_the_performance_test(plan):
    move(seats(plan, "integration")[0], seats(plan, "performance")[0][1], "mps")


def performance_in_half_a_card(plan):
    _, whole, share = seats(plan, "performance")[0]
    half = seats(plan, "integration")[0][1]
    whole["shares"], half["shares"] = half["shares"], [share]


REFUSED = [
    ("course", two_students_in_one_slice, ["6.5 GiB", "5.8 GiB"]),
    ("course", two_students_in_one_slice, ["tenant"]),
    ("course", a_fifth_student_on_a_t4, ["16.2 GiB", "15.0 GiB"]),
    ("course", a_student_beside_the_volunteers, ["tenant"]),
    ("university", dynamics_in_one_slice, ["molecular-dynamics", "1 of the 2 compute slices"]),
    ("university", training_over_two_hosts, ["data-parallel", "host"]),
    ("inference", two_language_models_on_one_card, ["130.3 GiB", "79.6 GiB"]),
    ("inference", a_promise_beside_another, ["reranker"]),
    ("ci-farm", outside_code_under("mps"), ["tenant"]),
    ("ci-farm", outside_code_under("time-slicing"), ["tenant"]),
    ("ci-farm", two_outsiders_together, ["tenant"]),
    ("ci-farm-night", a_neighbour_of_the_performance_test, ["performance"]),
    ("ci-farm-night", performance_in_half_a_card, ["performance"]),
]


LORA = """  - name: lora-7b
    replicas: 4
    memory: 36GB
    compute: {slices: 3}
    objective: throughput
"""
PAIR = LORA.replace("replicas: 4", "replicas: 2")
LORA_BY_PAIRS = PAIR + PAIR.replace("lora-7b", "lora-wide").replace("slices: 3", "slices: 4")

VARIED = [
    ("university", LORA, LORA_BY_PAIRS, 16, {}),
    ("university", "replicas: 16", "replicas: 18", 16, {}),
    ("university-deadline", "replicas: 28", "replicas: 30", 16, {}),
    ("university-peak", "    priority: 1\n", "", 15, {"data-parallel": 1}),
    ("course", "tenant: volunteers\n", "tenant: volunteers\n    isolation: hard\n", 6, {"lab": 6}),
    ("inference", "slices: 4", "slices: 3", 7, {}),
    ("ci-farm", "  - {card: rtx-4090, count: 2, nodes: 2, cost: 250}\n", "", 7, {}),
]

REFUSED_KEYS = [
    ("inference", "70GB\n", "70GB\n    spread: node\n", "`spread` is not supported yet"),
    ("university", "replicas: 18", "replicas: 18\n    pin: node-3", "`pin` is not supported yet"),
]


def run(binary, *words):
    return subprocess.run([binary, *words], cwd=ROOT, capture_output=True, text=True, timeout=60)


def problem(binary, folder, example, change, words):
    """What is wrong with how the changed plan is answered, or nothing."""
    plan = json.loads(run(binary, "plan", f"examples/{example}.yaml", "--json").stdout)
    path = pathlib.Path(folder) / "plan.json"
    path.write_text(json.dumps(plan))
    before = run(binary, "check", str(path), "--json")
    if before.returncode != 0 or not json.loads(before.stdout)["valid"]:
        return f"the plan itself is refused: {before.stdout[:300]} {before.stderr[:300]}"
    change(plan)
    path.write_text(json.dumps(plan))
    done = run(binary, "check", str(path), "--json")
    if done.returncode != 1:
        return f"ends with {done.returncode}: {done.stderr[:300]}"
    violations = [entry["message"] for entry in json.loads(done.stdout)["violations"]]
    if not any(all(word in message for word in words) for message in violations):
        return f"no violation says {words}: {violations}"
    return None


def changed(folder, example, old, new):
    """The path of an example with a part of its text replaced."""
    text = (ROOT / "examples" / f"{example}.yaml").read_text(encoding="utf-8")
    assert old in text, f"{example} has no {old}"
    path = pathlib.Path(folder) / "changed.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return str(path)


def varied_problem(binary, folder, example, old, new, cards, missing):
    done = run(binary, "plan", changed(folder, example, old, new), "--json")
    if done.returncode != (1 if missing else 0):
        return f"ends with {done.returncode}: {done.stderr[:300]}"
    plan = json.loads(done.stdout)
    unplaced = {}
    for entry in plan["unplaced"]:
        unplaced[entry["workload"]] = unplaced.get(entry["workload"], 0) + entry["count"]
    good = len(plan["cards"]) == cards and unplaced == missing
    return None if good else f"{len(plan['cards'])} cards, without a place {unplaced}"


def refused_key_problem(binary, folder, example, old, new, words):
    done = run(binary, "plan", changed(folder, example, old, new))
    good = done.returncode == 2 and words in done.stderr
    return None if good else f"ends with {done.returncode}: {done.stderr[:300]}"


def main():
    passed = failed = 0
    checks = [(problem, row) for row in REFUSED] + [(varied_problem, row) for row in VARIED]
    checks += [(refused_key_problem, row) for row in REFUSED_KEYS]
    with tempfile.TemporaryDirectory() as folder:
        for check, row in checks:
            wrong = check(sys.argv[1], folder, *row)
            passed += wrong is None
            failed += wrong is not None
            if wrong:
                print(f"FAILED {row[0]}: {getattr(row[1], '__name__', row[1])}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
