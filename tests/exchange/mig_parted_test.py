#!/usr/bin/python3
"""mig_parted_test.py BUILD: nvidia-mig-parted itself on simulated cards, with its own default file.

It applies, asserts and exports each of the 81 layouts on the cards they are meant for; `carve import` makes the same
devices from the same file on the same cards. And both are asked to change one partition of a card on which five others
are busy.

mig-parted is built from the Go module proxy. Two paths in its sources are turned into relative ones, so that it finds a
list of kernel modules and PCI devices that fit the simulated cards: /proc/modules and /sys/bus/pci/devices. Where it
cannot be had the test is skipped (exit code 77) with the reason, or fails if CARVE_LONG is set."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "live")]
sys.dont_write_bytecode = True
from machine import Machine, run  # noqa: E402
from named_layouts_test import FAMILIES, label_of, simulated  # noqa: E402

MODULE = "github.com/NVIDIA/mig-parted"
VERSION = "v0.13.1"
PROGRAM = f"{MODULE}/cmd/nvidia-mig-parted"
MOVED = [
    (f"vendor/{PROGRAM}/util/nvml.go", '"/proc/modules"', '"modules"'),
    ("vendor/github.com/NVIDIA/go-nvlib/pkg/nvpci/nvpci.go", '"/sys/bus/pci/devices"', '"devices"'),
]


# Where mig-parted does not do it and carve does.
UNREACHED = {
    ("h100-nvl-94gb", "all-balanced"): "no order of profiles works out with the places that this board's driver takes "
    "without being told, as recorded; carve names each place",
}


class Missing(Exception):
    """Why it cannot be had."""


def go(folder, *words):
    settings = {**os.environ, "GOFLAGS": "-buildvcs=false"}
    done = subprocess.run(["go", *words], cwd=folder, env=settings, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Missing((done.stdout + done.stderr).strip()[-500:])
    return done.stdout


def built(build):
    """(the program, its default file)"""
    if shutil.which("go") is None:
        raise Missing("there is no go")
    folder = pathlib.Path(build).resolve() / "foreign" / "mig-parted"
    program, file = folder / "nvidia-mig-parted", folder / "config-default.yaml"
    if program.exists() and file.exists():
        return program, file
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "go.mod").write_text("module built\n\ngo 1.24.0\n")
    (folder / "built.go").write_text(f'package built\n\nimport _ "{PROGRAM}"\n')
    go(folder, "get", f"{PROGRAM}@{VERSION}")
    go(folder, "mod", "vendor")
    for path, there, instead in MOVED:
        source = (folder / path).read_text()
        assert source.count(there) == 1, f"{path}: {there} is not there once"
        (folder / path).write_text(source.replace(there, instead))
    module = pathlib.Path(json.loads(go(folder, "list", "-mod=mod", "-m", "-json", MODULE))["Dir"])
    go(folder, "build", "-mod=vendor", "-o", program.name, PROGRAM)
    shutil.copyfile(module / "deployments" / "systemd" / "config-default.yaml", file)
    return program, file


class Board:
    """A simulated machine with what mig-parted looks for beside it."""

    def __init__(self, build, program, cards):
        self.machine = Machine(build, cards)
        self.program = program
        self.folder = pathlib.Path(self.machine.folder.name)
        (self.folder / "modules").write_text("nvidia 1 0 - Live 0x0\n")
        for card in self.status():
            self.show_pci(card)

    def status(self):
        return json.loads(self.machine.carve("status", "--json"))["cards"]

    def show_pci(self, card):
        folder = self.folder / "devices" / card["pci_bus_id"].lower()[-12:]
        folder.mkdir(parents=True)
        device = card["pci_device_id"]
        files = {"vendor": device & 0xFFFF, "device": device >> 16, "class": 0x030200}
        for name, value in files.items():
            (folder / name).write_text(f"{value:#06x}\n")
        (folder / "numa_node").write_text("-1\n")
        (folder / "resource").write_text("0x0 0x0 0x0\n")
        (folder / "config").write_bytes(bytes(256))

    def mig_parted(self, *words, **more):
        simgpu = self.machine.build.resolve() / "simgpu"
        environment = {
            **self.machine.environment(**more),
            "PATH": f"{simgpu / 'bin'}:{os.environ['PATH']}",
            "LD_LIBRARY_PATH": str(simgpu / "580"),
        }
        command = [self.program, *words]
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120, check=False
        )

    def layout(self):
        """{profile: how many} of the first card; None with MIG off."""
        card = self.status()[0]
        counts = {}
        for instance in card["instances"]:
            counts[instance["profile"]] = counts.get(instance["profile"], 0) + 1
        return counts if card["mig"]["current"] else None

    def exported(self):
        done = self.mig_parted("export", "-o", "json")
        assert done.returncode == 0, done.stderr
        (entry,) = json.loads(done.stdout)["mig-configs"]["current"]
        return entry["mig-devices"] if entry["mig-enabled"] else None


def both(theirs, ours, file, label, wanted, unreached):
    """What is wrong with one layout, or None. Of a profile that the board does not have mig-parted says that it was
    applied, and its own assert denies it."""
    known = {profile["name"] for profile in theirs.status()[0]["profiles"]}
    done = theirs.mig_parted("apply", "-f", file, "-c", label)
    cut = run(ours.machine.build, ["import", str(file), "--config", label, "--apply"], ours.machine.environment())
    asserted = theirs.mig_parted("assert", "-f", file, "-c", label).returncode == 0
    if not set(wanted or {}) <= known:
        found = (done.returncode, asserted, theirs.layout(), cut.returncode)
        return None if found == (0, False, {}, 2) else f"a profile that the card does not have: {found}\n{cut.stderr}"
    if cut.returncode:
        return f"carve: {cut.stderr}"
    if unreached:
        found = (done.returncode != 0, asserted, ours.layout())
        return None if found == (True, False, wanted) else f"was: {unreached}; now {found}"
    if done.returncode or not asserted:
        return f"mig-parted: {done.stderr}"
    found = (theirs.layout(), theirs.exported(), ours.layout())
    return None if found == (wanted, wanted, wanted) else f"mig-parted, its export and carve made {found}"


def layouts(build, program, file):
    """Yields (title, None or what is wrong)."""
    for _, boards, singles, mixed in FAMILIES:
        for name in boards:
            if not simulated(build, name):
                print(f"not simulated: {name}")
                continue
            theirs, ours = Board(build, program, name), Board(build, program, name)
            wanted = {label_of(profile): {profile: count} for profile, count in singles.items()}
            wanted |= {"all-balanced": mixed, "all-enabled": {}, "all-disabled": None}
            for label, layout in wanted.items():
                yield f"{name} {label}", both(theirs, ours, file, label, layout, UNREACHED.get((name, label)))


def five_busy(build, program, file):
    """One partition of six is to become two, and the five others are busy."""
    before = {"1g.10gb": 5, "2g.20gb": 1}
    machines = [Board(build, program, "1xh100-80gb") for _ in range(2)]
    for board in machines:
        text = json.dumps({"version": "v1", "mig-configs": {"x": [{"devices": "all", "mig-enabled": True,
                                                                  "mig-devices": before}]}})  # fmt: skip
        board.machine.carve("import", board.machine.write("before.json", text), "--apply")
    work = [[subprocess.Popen(["sleep", "600"]) for _ in range(5)] for _ in machines]
    try:
        for board, processes in zip(machines, work):
            small = [one for one in board.status()[0]["instances"] if one["profile"] == "1g.10gb"]
            for process, instance in zip(processes, small):
                where = [str(instance["gpu_instance"]), "0"]
                board.machine.tell("process", board.machine.path, str(process.pid), "100", "0", *where)
        theirs, ours = machines
        done = theirs.mig_parted("apply", "-f", file, "-c", "all-1g.10gb")
        left = theirs.layout()
        print(f"mig-parted with five busy partitions: exit code {done.returncode}; {left} of {before} are left")
        cut = run(build, ["import", str(file), "--config", "all-1g.10gb", "--apply"], ours.machine.environment())
        alive = len(ours.status()[0]["occupants"])
        good = (cut.returncode, ours.layout(), alive) == (0, {"1g.10gb": 7}, 5)
        yield "carve with five busy partitions", None if good else f"{cut.stderr} {ours.layout()} {alive} alive"
        yield "mig-parted does not do it", None if done.returncode != 0 else done.stdout
    finally:
        for process in sum(work, []):
            process.kill()
            process.wait()


def main(build):
    try:
        program, file = built(build)
    except Missing as reason:
        print(f"skipped: mig-parted cannot be had: {reason}")
        return 1 if os.environ.get("CARVE_LONG") else 77
    passed = failed = 0
    for checks in (layouts, five_busy):
        for title, problem in checks(build, program, file):
            passed += problem is None
            failed += problem is not None
            if problem is not None:
                print(f"FAILED {title}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
