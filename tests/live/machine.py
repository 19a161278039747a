"""Simulated machines, and carve on them as a person runs it."""

import json
import pathlib
import subprocess
import tempfile


class Machine:
    def __init__(self, build, cards):
        """`cards` as `simgpu_machine create` takes them: a short form, or the text of a machine file."""
        self.build = pathlib.Path(build)
        self.folder = tempfile.TemporaryDirectory()
        self.path = self.folder.name + "/machine"
        if "\n" in cards:
            cards = self.write("machine.yaml", cards)
        self.tell("create", self.path, cards)

    def write(self, name, text):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(text)
        return str(path)

    def tell(self, *words):
        subprocess.run([self.build / "tests" / "simgpu_machine", *map(str, words)], check=True)

    def environment(self, **more):
        return {"LC_ALL": "C.UTF-8", "COLUMNS": "100", "CARVE_SIM_DIR": self.path, **more}

    def carve(self, *words, expect=0, **more):
        """What carve prints; with another exit code what it complains."""
        done = run(self.build, words, self.environment(**more))
        assert done.returncode == expect, f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout if expect in (0, 1) else done.stderr

    def plan(self, text, *words, expect=0, **more):
        return json.loads(self.carve("plan", self.write("team.yaml", text), "--json", *words, expect=expect, **more))


def run(build, words, environment):
    return subprocess.run(
        [pathlib.Path(build) / "carve", *words], env=environment, capture_output=True, text=True, timeout=60
    )


def carve_without(build, *words, expect=0):
    """carve where there is no card."""
    environment = {"LC_ALL": "C.UTF-8", "CARVE_NVML": "/nowhere/libnvidia-ml.so.1"}
    done = run(build, words, environment)
    assert done.returncode == expect, f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def run_tests(build, tests):
    failed = 0
    for test in tests:
        try:
            test(build)
        except (AssertionError, subprocess.SubprocessError, KeyError, ValueError, OSError) as error:
            failed += 1
            print(f"{test.__name__}: {type(error).__name__}: {error}")
    print(f"{len(tests) - failed} passed, {failed} failed")
    return 1 if failed else 0
