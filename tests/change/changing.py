"""Simulated machines that are changed by commands: what tests of `carve apply` and its kin have in common."""

import contextlib
import json
import os
import pathlib
import pwd
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "live"))
from machine import Machine, run, run_tests  # noqa: E402, F401

LIMIT_S = 60


class Changed(Machine):
    """A simulated machine. Layouts are {start: profile}; None is a card whose MIG mode is off."""

    def __init__(self, build, cards):
        super().__init__(build, cards)
        self.files = 0
        self.state = pathlib.Path(self.path) / "root" / "var" / "lib" / "carve"

    def tell(self, *words):
        """As `carve sim` does it: with the files below /dev and /proc."""
        self.carve("sim", *map(str, (words[0], words[2], "--sim-dir", words[1])))

    def run(self, *words, **more):
        """(exit code, standard output, standard error)"""
        done = run(self.build, words, self.environment(**more))
        return done.returncode, done.stdout, done.stderr

    def sim(self, *words):
        self.carve("sim", *map(str, words))

    def inject(self, *words):
        self.sim("inject", *words)

    def cards(self):
        return json.loads(self.carve("status", "--json"))["cards"]

    def layout(self, index=0):
        card = self.cards()[index]
        if not card["mig"]["current"]:
            return None
        return {one["placement"]["start"]: one["profile"] for one in card["instances"]}

    def layouts(self):
        return [self.layout(index) for index in range(len(self.cards()))]

    def journals(self):
        return json.loads(self.carve("journal", "--json"))["journals"]

    def new_path(self, suffix):
        self.files += 1
        return f"{self.folder.name}/{self.files}{suffix}"

    def config(self, *cards):
        """A mig-parted file: for each card counts by profile, None for MIG off, ... for one that it does not name."""
        entries = []
        for index, counts in enumerate(cards):
            if counts is ...:
                continue
            entry = {"devices": [index], "mig-enabled": counts is not None, "mig-devices": counts or {}}
            entries.append(entry)
        path = self.new_path(".yaml")
        return self.write(path, json.dumps({"version": "v1", "mig-configs": {"one": entries}}))

    def cut(self, *cards, expect=0, options=()):
        return self.carve("import", self.config(*cards), "--apply", *options, expect=expect)

    def plan_file(self, text, *words):
        path = self.new_path(".json")
        self.carve("plan", self.write("team.yaml", text), *words, "-o", path)
        return path

    @contextlib.contextmanager
    def start(self, *words, **more):
        """carve in the background; it is killed at the end if it still runs."""
        process = subprocess.Popen(
            [self.build / "carve", *map(str, words)],
            env=self.environment(**more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
            process.communicate(timeout=LIMIT_S)

    def device(self, index, start):
        """UUID of the MIG device at this place."""
        for one in self.cards()[index]["instances"]:
            if one["placement"]["start"] == start:
                return one["compute_instances"][0]["uuid"]
        raise AssertionError(f"nothing stands at {start} on card {index}: {self.layouts()}")

    @contextlib.contextmanager
    def hold(self, device, *words):
        """A process that uses this device: a UUID, or the index of a card."""
        with self.start("sim", "load", *words, CUDA_VISIBLE_DEVICES=str(device)) as process:
            said = process.stdout.readline()
            assert said.startswith("holding "), (said, process.communicate(timeout=LIMIT_S))
            yield process

    def who(self, process):
        """How a process of this test's own is named."""
        return f"{process.pid} ({pwd.getpwuid(os.getuid()).pw_name}, {self.build}/carve"

    def wait_for_journal(self, number, steps=1, state="begun"):
        """Until so many steps of this change are in this state; the path of the journal."""
        path = self.state / "journal" / f"{number:06}"
        sign = f'"state":"{state}"'.encode()
        wait(lambda: path.exists() and path.read_bytes().count(sign) >= steps, f"{steps} steps {state} in {path}")
        return path


def wait(done, what):
    end = time.monotonic() + LIMIT_S
    while not done():
        assert time.monotonic() < end, f"there never were {what}"
        time.sleep(0.005)


def finished(process):
    """(exit code, standard output, standard error) of a process that ends by itself."""
    printed, said = process.communicate(timeout=LIMIT_S)
    return process.returncode, printed, said


def equal(real, expected, about=""):
    assert real == expected, f"{about}: expected {expected!r}, got {real!r}"


def says(text, *words):
    flat = " ".join(text.split())  # sentences are broken into lines
    for word in words:
        assert word in flat, f"no {word!r} in {text}"


def is_alive(process):
    return process.poll() is None and os.path.exists(f"/proc/{process.pid}")
