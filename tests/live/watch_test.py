#!/usr/bin/python3
"""watch_test.py BUILD: `carve status --watch` on a terminal of its own: what it writes, and what it leaves behind."""

import fcntl
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

from machine import Machine, run, run_tests

ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
HIDE, SHOW = b"\x1b[?25l", b"\x1b[?25h"
WRAP_OFF, WRAP_ON = b"\x1b[?7l", b"\x1b[?7h"


class Watch:
    """carve status --watch 1 on a pseudo-terminal."""

    def __init__(self, machine, rows=24, columns=100, words=("--watch", "1"), **more):
        self.machine = machine  # as long as this
        self.master, slave = pty.openpty()
        self.resize(rows, columns)
        self.slave = slave  # kept open: its settings are looked at in the end
        self.before = termios.tcgetattr(slave)
        self.out = b""
        self.child = subprocess.Popen(
            [machine.build / "carve", "status", *words],
            env={**machine.environment(**more), "TERM": "xterm"},
            stdin=slave,
            stdout=slave,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )

    def resize(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, limit):
        end = time.monotonic() + limit
        while (left := end - time.monotonic()) > 0:
            ready, _, _ = select.select([self.master], [], [], min(left, 0.1))
            if ready:
                self.out += os.read(self.master, 65536)
                return True
            if self.child.poll() is not None:
                return False
        return False

    def until(self, words, since=0, limit=30):
        """Reads until the screen was told these words."""
        end = time.monotonic() + limit
        while words not in self.out[since:]:
            assert time.monotonic() < end, f"no {words!r} in {self.out[since:]!r}"
            self.read(1)
        return len(self.out)

    def type(self, keys):
        os.write(self.master, keys)

    def end(self, expect):
        code = self.child.wait(timeout=30)
        while self.read(0.3):
            pass
        assert code == expect, f"ended with {code}: {self.child.stderr.read()!r}"
        assert self.out.rfind(LEAVE) > self.out.rfind(ENTER), "the alternate screen stays"
        assert self.out.rfind(SHOW) > self.out.rfind(HIDE), "the cursor stays hidden"
        assert self.out.rfind(WRAP_ON) > self.out.rfind(WRAP_OFF), "lines do not wrap any more"
        assert termios.tcgetattr(self.slave) == self.before, "the terminal's settings are not what they were"
        os.close(self.slave)
        os.close(self.master)


def screen_of(out, rows, columns):
    """What stands on the screen, by the few sequences that are used; any other is an error."""
    lines = [[" "] * columns for _ in range(rows)]
    row = column = 0
    text = out.decode()
    at = 0
    while at < len(text):
        sequence = re.match(r"\x1b\[(\??)([0-9;]*)([A-Za-z])", text[at:])
        if sequence:
            private, numbers, verb = sequence.groups()
            if verb == "H":
                row, column = (int(n) - 1 for n in numbers.split(";")) if numbers else (0, 0)
            elif verb == "K":
                lines[row][column:] = [" "] * (columns - column)
            elif verb == "J":
                for later in range(row, rows):
                    lines[later] = [" "] * columns
            else:
                assert private or verb == "m", f"sequence {sequence.group()!r}"
            at += sequence.end()
            continue
        assert column < columns, f"row {row} is longer than {columns}: {''.join(lines[row])}"
        lines[row][column] = text[at]
        column += 1
        at += 1
    return ["".join(line).rstrip() for line in lines]


def ends_with_q(build):
    watch = Watch(Machine(build, "h100-80gb,a30"))
    watch.until(b"NVIDIA A30")
    watch.type(b"q")
    watch.end(0)


def ends_cleanly_with(number, keys=None):
    def test(build):
        watch = Watch(Machine(build, "h100-80gb"))
        watch.until(b"nobody holds it")
        if keys:
            watch.type(keys)
        else:
            os.kill(watch.child.pid, number)
        watch.end(-number)

    test.__name__ = f"ends_cleanly_with_{number.name}{'_typed' if keys else ''}"
    return test


def changes_without_flicker(build):
    machine = Machine(build, "h100-80gb")
    watch = Watch(machine)
    first = watch.until(b"nobody holds it")
    sleeper = subprocess.Popen(["/bin/sleep", "60"])
    try:
        machine.tell("process", machine.path, sleeper.pid, 2048, 0)
        watch.until(str(sleeper.pid).encode(), first)
        frames = watch.out[first:]
        assert b"\x1b[2J" not in watch.out and b"J" not in re.findall(rb"\x1b\[[0-9;]*([A-Z])", frames), frames
        assert b"GPU-" not in frames, "a line that did not change was written again"
        screen = screen_of(watch.out, 24, 100)
        assert any("2.0 of 79.6 GiB in use" in line for line in screen), screen
        assert not any("nobody holds it" in line for line in screen), screen
    finally:
        sleeper.kill()
        sleeper.wait()
    since = len(watch.out)
    watch.until(b"nobody holds it", since)
    watch.type(b"q")
    watch.end(0)


def follows_the_window(build):
    watch = Watch(Machine(build, "4xh100-80gb"))
    watch.until(b"nobody holds it")
    since = len(watch.out)
    watch.resize(8, 30)
    watch.child.send_signal(signal.SIGWINCH)
    watch.until(b"lines 1-6 of", since)
    screen = screen_of(watch.out[since:], 8, 30)
    assert max(map(len, screen)) <= 30 and screen[-1].startswith("lines 1-6 of"), screen
    since = len(watch.out)
    watch.type(b"j")
    watch.until(b"lines 2-7 of", since)
    watch.resize(1, 5)
    watch.child.send_signal(signal.SIGWINCH)
    watch.read(1)
    watch.type(b"q")
    watch.end(0)


def outlives_the_driver(build):
    machine = Machine(build, "h100-80gb")
    watch = Watch(machine)
    since = watch.until(b"nobody holds it")
    away = pathlib.Path(machine.path + ".away")
    pathlib.Path(machine.path).rename(away)
    since = watch.until(b"asked again every 1 s", since)
    screen = screen_of(watch.out, 24, 100)
    assert not any("nobody holds it" in line for line in screen), "old figures stay on the screen"
    away.rename(machine.path)
    watch.until(b"nobody holds it", since)
    watch.type(b"q")
    watch.end(0)


def draws_into_no_pipe(build):
    machine = Machine(build, "h100-80gb")
    done = run(build, ["status", "--watch"], machine.environment())
    assert done.returncode == 2 and done.stdout == "" and "is none" in done.stderr, done
    for wrong in ("0", "x", "1.5", "99999"):
        assert "--watch" in machine.carve("status", "--watch", wrong, expect=2)


def lines_of_json(build):
    machine = Machine(build, "h100-80gb")
    child = subprocess.Popen(
        [machine.build / "carve", "status", "--watch", "1", "--json"],
        env=machine.environment(),
        stdout=subprocess.PIPE,
        text=True,
    )
    lines = [json.loads(child.stdout.readline()) for _ in range(2)]
    pathlib.Path(machine.path).rename(machine.path + ".away")
    lines.append(json.loads(child.stdout.readline()))
    if "cards" in lines[-1]:
        lines[-1] = json.loads(child.stdout.readline())
    child.stdout.close()
    assert child.wait(timeout=30) == 0
    assert [line["format"] for line in lines] == ["carve-status/1"] * 3
    assert len(lines[0]["cards"]) == 1 and "error" in lines[2], lines


TESTS = [
    ends_with_q,
    ends_cleanly_with(signal.SIGINT, keys=b"\x03"),
    ends_cleanly_with(signal.SIGTERM),
    ends_cleanly_with(signal.SIGHUP),
    changes_without_flicker,
    follows_the_window,
    outlives_the_driver,
    draws_into_no_pipe,
    lines_of_json,
]

if __name__ == "__main__":
    sys.exit(run_tests(sys.argv[1], TESTS))
