#!/usr/bin/python3
"""named_layouts_test.py BUILD: the 81 layouts that mig-parted's default file names, each applied by `carve import` to
the cards it is meant for, and read back: the profiles and how many of each are those that the name stands for. A name
that no profile of the board has is refused.

Of some boards no public source has the figures that a simulation needs. They are listed at the end, and what cannot be
tried counts as nothing."""

import collections
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "live"))
sys.dont_write_bytecode = True
from machine import Machine, run  # noqa: E402


def seventh(small, double, half, whole, me=True):
    """The layouts of a board with seven compute slices."""
    names = {f"1g.{small}": 7, f"1g.{double}": 4, f"2g.{double}": 3, f"3g.{half}": 2, f"4g.{half}": 1, f"7g.{whole}": 1}
    return {**names, **({f"1g.{small}+me": 1} if me else {})}


def balanced(small, double, half):
    return {f"1g.{small}": 2, f"2g.{double}": 1, f"3g.{half}": 1}


# Family: PCI devices of its filter, boards of ours, {profile: how many} one by one, and in the balanced layout.
FAMILIES = [
    ("20B0 20B1 20F1 20F6", ["a100-40gb"], seventh("5gb", "10gb", "20gb", "40gb"), balanced("5gb", "10gb", "20gb")),
    (
        "20B2 20B5 20F3 20F5 2330 2331 2322 2324",
        ["a100-80gb", "h100-sxm5-80gb", "h100-pcie-80gb"],
        seventh("10gb", "20gb", "40gb", "80gb"),
        balanced("10gb", "20gb", "40gb"),
    ),
    (
        "20B7",
        ["a30-24gb"],
        {"1g.6gb": 4, "1g.6gb+me": 1, "2g.12gb": 2, "2g.12gb+me": 1, "4g.24gb": 1},
        {"1g.6gb": 2, "2g.12gb": 1},
    ),
    (
        "2321 233A",
        ["h100-nvl-94gb"],
        {**seventh("12gb", "24gb", "47gb", "94gb"), "1g.24gb+me": 1},
        balanced("12gb", "24gb", "47gb"),
    ),
    (
        "2342 233D 20B6 2329",
        ["gh200-96gb", "h20-96gb"],
        seventh("12gb", "24gb", "48gb", "96gb"),
        balanced("12gb", "24gb", "48gb"),
    ),
    ("2335 233B", ["h200-141gb"], seventh("18gb", "35gb", "71gb", "141gb"), balanced("18gb", "35gb", "71gb")),
    ("2348", ["gh200-144gb"], seventh("18gb", "36gb", "72gb", "144gb"), balanced("18gb", "36gb", "72gb")),
    ("2901", ["b200-180gb"], seventh("23gb", "45gb", "90gb", "180gb"), balanced("23gb", "45gb", "90gb")),
    (
        "2941",
        ["gb200-186gb"],
        {**seventh("23gb", "47gb", "93gb", "186gb"), "3g.95gb": 2, "4g.95gb": 1, "7g.189gb": 1},
        balanced("23gb", "47gb", "93gb"),
    ),
    ("3182", ["b300-269gb"], seventh("34gb", "67gb", "135gb", "269gb"), balanced("34gb", "67gb", "135gb")),
    ("31C2", ["gb300-278gb"], seventh("35gb", "70gb", "139gb", "278gb"), balanced("35gb", "70gb", "139gb")),
    (
        "2BB5",
        ["rtx-pro-6000-96gb"],
        {
            "1g.24gb": 4, "1g.24gb+gfx": 4, "1g.24gb+me.all": 1, "1g.24gb-me": 4, "2g.48gb": 2, "2g.48gb+gfx": 2,
            "2g.48gb+me.all": 1, "2g.48gb-me": 2, "4g.96gb": 1, "4g.96gb+gfx": 1,
        },
        {"1g.24gb": 2, "2g.48gb": 1},
    ),
]  # fmt: skip


def label_of(profile):
    return "all-" + profile.replace("+", ".")


def default_file():
    """The file as JSON, which is YAML: {label: entries}."""
    labels = collections.defaultdict(list)
    labels["all-disabled"] = [{"devices": "all", "mig-enabled": False}]
    labels["all-enabled"] = [{"devices": "all", "mig-enabled": True, "mig-devices": {}}]
    for devices, _, singles, mixed in FAMILIES:
        where = {"device-filter": [f"0x{device}10DE" for device in devices.split()], "devices": "all"}
        for profile, count in singles.items():
            labels[label_of(profile)].append({**where, "mig-enabled": True, "mig-devices": {profile: count}})
        labels["all-balanced"].append({**where, "mig-enabled": True, "mig-devices": mixed})
    return {"version": "v1", "mig-configs": labels}


class Board:
    def __init__(self, build, name, text):
        self.machine = Machine(build, name)
        self.file = self.machine.write("config.yaml", text)
        listed = json.loads(self.machine.carve("status", "--json"))["cards"][0]["profiles"]
        self.profiles = {profile["name"] for profile in listed}

    def cut(self, label):
        """(exit code, {profile: how many} or None with MIG off, what it says)"""
        words = ["import", self.file, "--config", label, "--apply"]
        done = run(self.machine.build, words, self.machine.environment())
        card = json.loads(self.machine.carve("status", "--json"))["cards"][0]
        there = collections.Counter(instance["profile"] for instance in card["instances"] or [])
        return done.returncode, dict(there) if card["mig"]["current"] else None, done.stdout + done.stderr


def simulated(build, name):
    program = pathlib.Path(build) / "carve"
    done = subprocess.run([program, "status", "--sim", name, "--sim-dir", "/nowhere/x"], capture_output=True, text=True)
    return "no public source has this figure" not in done.stderr


def checks(build):
    """Yields (title, None or what is wrong)."""
    file = default_file()
    reached = set()
    yield "the file names 81 layouts", None if len(file["mig-configs"]) == 81 else len(file["mig-configs"])
    for _, boards, singles, mixed in FAMILIES:
        for name in boards:
            if not simulated(build, name):
                print(f"not simulated: {name}, {len(singles) + 1} layouts")
                continue
            board = Board(build, name, json.dumps(file))
            wanted = {label_of(profile): {profile: count} for profile, count in singles.items()}
            for label, layout in {**wanted, "all-balanced": mixed, "all-enabled": {}, "all-disabled": None}.items():
                reached |= {label} if board.profiles >= set(layout or {}) else set()
                yield f"{name} {label}", judged(board, label, layout)
    print(f"{len(reached)} of {len(file['mig-configs'])} layouts were cut")


def judged(board, label, layout):
    code, there, said = board.cut(label)
    unknown = [profile for profile in layout or {} if profile not in board.profiles]
    if unknown:
        named = code == 2 and f"has no profile {unknown[0]}" in said
        return None if named else f"exit code {code}, expected 2 and the profile that the board does not have\n{said}"
    return None if (code, there) == (0, layout) else f"exit code {code}, {there} instead of {layout}\n{said}"


def main():
    passed = failed = 0
    for title, problem in checks(sys.argv[1]):
        if problem is None:
            passed += 1
        else:
            failed += 1
            print(f"FAILED {title}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
