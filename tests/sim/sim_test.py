#!/usr/bin/python3
"""sim_test.py BUILD: `carve sim` as people and tests use it: machines come and go, processes load them as CUDA programs
would, things are let happen to them, and the files of /proc and /dev follow. Ends with "N passed, N failed"."""

import contextlib
import json
import os
import pathlib
import re
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True

BUILD = pathlib.Path(sys.argv[1]).resolve()
CARVE = BUILD / "carve"
SMI = BUILD / "simgpu" / "bin" / "nvidia-smi"
LIMIT_S = 60


class Machine:
    """A folder with simulated cards, and the programs that use them."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = {
            "PATH": "/usr/bin:/bin",
            "LC_ALL": "C.UTF-8",
            "HOME": str(folder.parent),
            "CARVE_SIM_DIR": str(folder),
            "LD_LIBRARY_PATH": str(BUILD / "simgpu" / "580"),
        }

    def run(self, *words, **variables):
        """(exit code, stdout, stderr) of carve."""
        return self.program(CARVE, *words, **variables)

    def program(self, *words, **variables):
        environment = {**self.environment, **variables}
        done = subprocess.run(
            [str(word) for word in words], env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False
        )
        return done.returncode, done.stdout, done.stderr

    def sim(self, *words, **variables):
        return self.run("sim", *words, **variables)

    def smi(self, *words):
        code, printed, said = self.program(SMI, *words)
        assert code == 0, f"nvidia-smi {words}: {printed}{said}"
        return printed

    def compute_mode(self, mode):
        """Sets the compute mode of card 0, as nvidia-smi -c does it."""
        script = (
            "import ctypes, sys; n = ctypes.CDLL('libnvidia-ml.so.1'); d = ctypes.c_void_p(); n.nvmlInit_v2();"
            "n.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(d));"
            "sys.exit(n.nvmlDeviceSetComputeMode(d, int(sys.argv[1])))"
        )
        equal(self.program("/usr/bin/python3", "-c", script, mode)[0], 0)

    def status(self):
        code, printed, said = self.run("status", "--json")
        assert code == 0, said
        return json.loads(printed)

    def cut(self, profiles, card=0):
        """Turns MIG on and makes instances; the UUIDs of the MIG devices, by profile's order of ids."""
        self.smi("-i", card, "-mig", "1")
        self.smi("mig", "-i", card, "-cgi", profiles, "-C")
        return re.findall(r"MIG-[0-9a-f-]{36}", self.smi("-L"))

    @contextlib.contextmanager
    def load(self, *words, **variables):
        """A load that holds its device; what it said, and the process."""
        process = subprocess.Popen(
            [CARVE, "sim", "load", *map(str, words)],
            env={**self.environment, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            said = process.stdout.readline()
            assert said.startswith("holding "), process.communicate(timeout=LIMIT_S)
            yield said, process
        finally:
            process.kill()
            process.communicate(timeout=LIMIT_S)

    def nodes(self):
        """Names of the capability nodes below the root."""
        return {path.name for path in (self.folder / "root" / "dev" / "nvidia-caps").iterdir()}

    def access_files(self):
        capabilities = self.folder / "root" / "proc" / "driver" / "nvidia" / "capabilities"
        return {str(path.parent.relative_to(capabilities)) for path in capabilities.glob("gpu*/**/access")}


@contextlib.contextmanager
def machine(cards=None):
    with tempfile.TemporaryDirectory(prefix="carve-sim-") as scratch:
        made = Machine(pathlib.Path(scratch) / "machine")
        if cards:
            code, _, said = made.sim("create", cards)
            assert code == 0, said
        yield made


def equal(real, expected, about=""):
    assert real == expected, f"{about}: expected {expected!r}, got {real!r}"


def refused(answer, code, *words):
    """The command ended with this code, printed nothing, and said these words."""
    equal(answer[0], code, answer[2])
    equal(answer[1], "", "standard output")
    for word in words:
        assert word in answer[2], f"no '{word}' in {answer[2]!r}"


# ------------------------------------------------------------------------------------------------------------- machines


def create_show_remove():
    with machine() as m:
        code, printed, said = m.sim("create", "2xh100-80gb,a30")
        equal((code, said), (0, ""))
        equal(printed, f"2xh100-sxm5-80gb,1xa30-24gb in {m.folder}\n")
        refused(m.sim("create", "t4"), 3, "already", "--replace")
        shown = json.loads(m.sim("show", "--json")[1])
        equal([card["model"] for card in shown["cards"]], ["h100-sxm5-80gb"] * 2 + ["a30-24gb"])
        assert "a30-24gb" in m.sim("show")[1]
        equal(m.sim("create", "t4", "--replace")[0], 0)
        equal(json.loads(m.sim("show", "--json")[1])["made_of"], "1xt4-16gb")
        equal(m.sim("remove")[0], 0)
        assert not m.folder.exists(), list(m.folder.rglob("*"))
        refused(m.sim("remove"), 3, "no simulated machine")
        refused(m.sim("show"), 3, "no simulated machine", "carve sim create")


def a_file_describes_a_machine():
    with machine() as m:
        path = m.folder.parent / "machine.yaml"
        path.write_text("seed: 7\ncards:\n  - {card: a100-40gb, count: 2, nvswitch: 1}\n")
        equal(m.sim("create", str(path))[0], 0)
        refused(m.sim("create", str(path.with_name("none.yaml"))), 2, "none.yaml")
        equal(len(m.status()["cards"]), 2)


def first_use_makes_it():
    with machine() as m:
        equal(m.run("status", "--sim", "2xh100-80gb")[0], 0)
        code, printed, _ = m.run("status", "--json", "--sim", "2xh100-80gb")
        equal((code, len(json.loads(printed)["cards"])), (0, 2))
        equal(m.run("status", "--sim", "h100-80gb,h100-sxm5-80gb")[0], 0, "the same order in other words")
        refused(m.run("status", "--sim", "a30"), 2, "another order", "2xh100-sxm5-80gb", "carve sim create --replace")
        equal(m.run("status", CARVE_SIM="2xh100-80gb")[0], 0)
        refused(m.run("status", CARVE_SIM="a30"), 2, "another order")
        refused(m.run("status", "--sim", "9xnothing"), 2, "nothing")


def folder_of_the_users_own():
    with machine() as m:
        for variables, place in (({}, ".local/state"), ({"XDG_STATE_HOME": str(m.folder.parent / "state")}, "state")):
            code, printed, said = m.sim("create", "t4", CARVE_SIM_DIR="", **variables)
            equal(code, 0, said)
            equal(printed, f"1xt4-16gb in {m.folder.parent}/{place}/carve/sim\n")
            equal(m.run("status", "--sim", "t4", CARVE_SIM_DIR="", **variables)[0], 0)
        refused(m.sim("show", CARVE_SIM_DIR="", HOME=""), 3, "HOME")


def hostile_folders():
    with machine() as m:
        for name in ("with space", "quo'te\"", "new\nline", "-dash", "$(touch x)", "ünïcode", "percent%s%n{}"):
            folder = str(m.folder.parent / name)
            equal(m.sim("create", "t4", "--sim-dir", folder)[0], 0, name)
            equal(m.run("status", "--sim-dir", folder)[0], 0, name)
            with m.load("--sim-dir", folder):
                refused(m.sim("create", "a30", "--replace", "--sim-dir", folder), 3, "process")
                refused(m.sim("remove", "--sim-dir", folder), 3, "process")
            equal(m.sim("remove", "--sim-dir", folder)[0], 0, name)
            assert not pathlib.Path(folder).exists()
        file = m.folder.parent / "file"
        file.write_text("a text\n")
        refused(m.sim("create", "t4", "--sim-dir", str(file)), 3, "Not a directory")
        refused(m.sim("create", "t4", "--sim-dir", str(m.folder / "a" / "b")), 3, "cannot make the folder")
        refused(m.sim("create", "t4", "--sim-dir", "/" + "x" * 5000), 3, "too long")
        other = m.folder.parent / "other"
        other.mkdir()
        (other / "machine").write_text("somebody's own\n")
        refused(m.sim("create", "t4", "--replace", "--sim-dir", str(other)), 3, "not a simulated machine")
        refused(m.sim("remove", "--sim-dir", str(other)), 3, "not a simulated machine")
        equal((other / "machine").read_text(), "somebody's own\n")


def nothing_outside_the_root_is_touched():
    with machine("h100-80gb") as m:
        outside = m.folder.parent / "outside"
        for path in ("dev/nvidia3", "dev/nvidiactl", "proc/driver/nvidia/version"):
            (outside / path).parent.mkdir(parents=True, exist_ok=True)
            (outside / path).write_text("real\n")
        before = {path: path.stat().st_mtime_ns for path in outside.rglob("*")}
        subprocess.run(["rm", "-r", m.folder / "root"], check=True)
        (m.folder / "root").symlink_to(outside)
        assert m.sim("reboot")[0] == 3, "a link is no root"
        m.sim("remove")
        equal({path: path.stat().st_mtime_ns for path in outside.rglob("*")}, before)


def creators_at_once():
    with machine() as m:
        codes = []

        def create():
            codes.append(m.sim("create", "2xh100-80gb")[0])

        def use():
            codes.append(m.run("status", "--sim", "2xh100-80gb")[0])

        for work, expected in ((create, [0] + [3] * 7), (use, [0] * 8)):
            codes.clear()
            m.sim("remove")
            threads = [threading.Thread(target=work) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            equal(sorted(codes), expected, work.__name__)
            equal(len(m.status()["cards"]), 2)
            equal(sorted(path.name for path in m.folder.iterdir()), ["machine", "root"])


# ---------------------------------------------------------------------------------------------------------------- loads


def two_loads_under_mig():
    with machine("h100-80gb") as m:
        large, small = m.cut("9,19")
        with m.load("--memory", "9GiB", "--compute", "20%", CUDA_VISIBLE_DEVICES=small) as (said, one):
            assert re.fullmatch(rf"holding 9\.0 GiB on {small} \(card 0, gi \d+, ci 0\)\n", said), said
            with m.load("--memory", "30GiB", CUDA_VISIBLE_DEVICES=large[:12]) as (_, other):
                occupants = {row["pid"]: row for row in m.status()["cards"][0]["occupants"]}
                equal(set(occupants), {one.pid, other.pid})
                too_much = m.sim("load", "--memory", "20GiB", CUDA_VISIBLE_DEVICES=large)
                refused(too_much, 3, "out of memory", "9.5 GiB of 39.5 GiB")
                too_much = m.sim("load", "--memory", "9.7GiB", CUDA_VISIBLE_DEVICES=small)
                refused(too_much, 3, "out of memory (CUDA error 2)")
        equal(m.status()["cards"][0]["occupants"], [], "kill -9 frees")


def what_cuda_visible_devices_names():
    with machine("2xh100-80gb,t4") as m:
        uuids = re.findall(r"GPU-[0-9a-f-]{36}", m.smi("-L"))
        (device,) = m.cut("9", card=0)

        def held(visible):
            with m.load("--memory", "1GiB", CUDA_VISIBLE_DEVICES=visible) as (said, _):
                return said.split(" on ")[1].split()[0]

        equal(held("0"), uuids[1], "a card in MIG mode has no index")
        equal(held("1,0"), uuids[2])
        equal(held(uuids[2][:9] + "," + uuids[1]), uuids[2])
        equal(held(f" {device} ,0"), device)
        equal(held(f"{uuids[1]},nonsense"), uuids[1])
        for nothing in ("", "-1", "nonsense", uuids[0], "7", f"nonsense,{device}", "GPU-", "MIG-00000000", "0x"):
            none = m.sim("load", CUDA_VISIBLE_DEVICES=nothing)
            refused(none, 3, "no device (CUDA error 100)", "CUDA_VISIBLE_DEVICES")
        with m.load() as (said, _):
            assert uuids[1] in said, "without the variable: the first card without MIG"


def a_missing_node():
    with machine("h100-80gb") as m:
        (device,) = m.cut("9")
        caps = sorted(m.nodes() - {"nvidia-cap1", "nvidia-cap2"})
        equal(len(caps), 2)
        for name in ("dev/nvidiactl", "dev/nvidia-uvm", "dev/nvidia3", *(f"dev/nvidia-caps/{cap}" for cap in caps)):
            path = m.folder / "root" / name
            path.rename(path.with_suffix(".away"))
            refused(m.sim("load", CUDA_VISIBLE_DEVICES=device), 3, "no device", f"root/{name}", "No such file")
            path.with_suffix(".away").rename(path)
        with m.load(CUDA_VISIBLE_DEVICES=device):
            pass


def compute_mode():
    with machine("h100-80gb") as m:
        m.compute_mode(3)
        with m.load():
            refused(m.sim("load"), 3, "CUDA error 46", "one process")
        with m.load():
            pass
        m.compute_mode(2)
        refused(m.sim("load"), 3, "CUDA error 46", "PROHIBITED")
        m.compute_mode(0)
        with m.load(), m.load():
            pass


def how_a_load_ends():
    with machine("h100-80gb") as m:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with m.load() as (_, process):
                process.send_signal(number)
                equal(process.wait(timeout=LIMIT_S), 0, number)
        equal(m.sim("load", "--for", "10ms")[0], 0)
        with m.load("--hang") as (_, process):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout=0.3)
                raise AssertionError("it ended")
            except subprocess.TimeoutExpired:
                pass
        equal(m.sim("load", "--crash-after", "10ms", "--xid", "31")[0], -signal.SIGABRT)
        equal(m.status()["cards"][0]["occupants"], [])
        for wrong in (["--memory", "9"], ["--compute", "200"], ["--for", "x"], ["--xid", "3"],
                      ["--for", "1s", "--crash-after", "1s"]):  # fmt: skip
            equal(m.sim("load", *wrong)[0], 2, wrong)


# --------------------------------------------------------------------------------------------------------------- inject


def injected_faults_are_seen():
    with machine("2xh100-80gb") as m:
        equal(m.sim("inject", "fault", "--function", "nvmlDeviceGetUUID", "--code", "UNKNOWN")[0], 0)
        shown = json.loads(m.sim("show", "--json")[1])["faults"]
        equal([(row["function"], row["code"]) for row in shown], [("nvmlDeviceGetUUID", 999)])
        assert "nvmlDeviceGetUUID: Unknown Error (999)" in m.run("status")[1]
        equal(json.loads(m.sim("show", "--json")[1])["faults"], [])
        equal(m.sim("inject", "hang", "--function", "nvmlDeviceGetName")[0], 0)
        refused(m.run("status"), 3, "did not answer", "nvmlDeviceGetName")
        equal(m.sim("inject", "kill", "--function", "nvmlDeviceGetName", "--times", "9")[0], 0)
        equal(m.run("status")[0], 3)
        equal(m.sim("inject", "clear")[0], 0)
        equal(m.run("status")[0], 0)
        equal(m.sim("inject", "lose", "1")[0], 0)
        assert "1  does not answer" in m.run("status")[1]
        equal(m.sim("reset", "1")[0], 0)
        assert "does not answer" not in m.run("status")[1]
        equal(m.sim("inject", "block", "nvsm", "0")[0], 0)
        refused(m.sim("reset", "0"), 3, "somebody holds the card")
        assert "nvsm blocks 0" in m.sim("show")[1]
        equal(m.sim("inject", "unblock", "nvsm")[0], 0)
        equal(m.sim("reset", "0")[0], 0)
        equal(m.sim("inject", "xid", "0", "31")[0], 0)
        equal(m.sim("inject", "latency", "a30")[0], 0)
        equal(json.loads(m.sim("show", "--json")[1])["latency"], "a30")
        for wrong, word in (
            (["fault", "--function", "nvmlNothing"], "no function"),
            (["fault", "--code", "IN_UES"], "did you mean IN_USE?"),
            (["kill", "--when", "later"], "before, midway or after"),
            (["lose", "2"], "from 0 to 1"),
            (["latency", "fast"], "there are none, a30"),
            (["falt"], "did you mean 'carve sim inject fault'?"),
            (["xid", "0", "31", "--instance", "x"], "as 7/0"),
        ):
            refused(m.sim("inject", *wrong), 2, word)


def an_instance_settles():
    """Busy for half a second after its last process left, if it is asked for."""
    with machine("h100-80gb") as m:
        (device,) = m.cut("9")
        equal(m.sim("inject", "latency", "settle")[0], 0)
        with m.load(CUDA_VISIBLE_DEVICES=device):
            pass
        code, printed, said = m.program(SMI, "mig", "-i", "0", "-dci")
        assert code != 0 and "In use" in printed + said, printed + said
        for _ in range(100):
            if m.program(SMI, "mig", "-i", "0", "-dci")[0] == 0:
                break
        else:
            time.sleep(0.6)
            equal(m.program(SMI, "mig", "-i", "0", "-dci")[0], 0)
        m.smi("mig", "-i", "0", "-dgi")


def libraries():
    with machine() as m:
        for driver in ("580", "525", "450"):
            code, printed, _ = m.sim("library", "--driver", driver)
            path = pathlib.Path(printed.strip())
            equal((code, path.name, path.parent.name), (0, "libnvidia-ml.so.1", driver))
            assert stat.S_ISREG(path.stat().st_mode)
        equal(m.sim("library")[1], m.sim("library", "--driver", "580")[1])
        refused(m.sim("library", "--driver", "999"), 2, "580")


# ---------------------------------------------------------------------------------------------------------------- files


def files_follow():
    with machine("2xh100-80gb") as m:
        equal(m.nodes(), {"nvidia-cap1", "nvidia-cap2"})
        m.cut("9,19")
        minor = 3
        equal(m.access_files(), {f"gpu{minor}/mig/gi{gi}{ci}" for gi in (2, 7) for ci in ("", "/ci0")})
        equal(len(m.nodes()), 6)
        m.smi("mig", "-i", "0", "-dci")
        equal(m.access_files(), {f"gpu{minor}/mig/gi2", f"gpu{minor}/mig/gi7"})
        m.smi("mig", "-i", "0", "-dgi")
        equal((m.access_files(), m.nodes()), (set(), {"nvidia-cap1", "nvidia-cap2"}))
        equal(m.sim("inject", "lose", "0")[0], 0)
        assert not (m.folder / "root" / "dev" / "nvidia3").exists()
        equal(m.sim("reboot")[0], 0)
        assert (m.folder / "root" / "dev" / "nvidia3").exists()
        m.cut("9")
        equal(len(m.nodes()), 4)
        m.smi("-i", "0", "--gpu-reset")
        equal(m.nodes(), {"nvidia-cap1", "nvidia-cap2"})


def files_are_mended():
    """A client that was killed between its change and the files leaves them to the next."""
    with machine("h100-80gb") as m:
        m.cut("9")
        equal(m.sim("inject", "kill", "--function", "nvmlComputeInstanceDestroy", "--when", "after")[0], 0)
        equal(m.program(SMI, "mig", "-i", "0", "-dci")[0], -signal.SIGKILL)
        stale = m.access_files()
        assert any("ci0" in path for path in stale), stale
        m.status()
        equal(m.access_files(), {"gpu3/mig/gi2"})


CASES = [
    create_show_remove, a_file_describes_a_machine, first_use_makes_it, folder_of_the_users_own,
    hostile_folders, nothing_outside_the_root_is_touched, creators_at_once, two_loads_under_mig,
    what_cuda_visible_devices_names, a_missing_node, compute_mode, how_a_load_ends, injected_faults_are_seen,
    an_instance_settles, libraries, files_follow, files_are_mended,
]  # fmt: skip


def main():
    failed = 0
    only = sys.argv[2:]
    cases = [case for case in CASES if not only or case.__name__ in only]
    for case in cases:
        try:
            case()
        except (AssertionError, OSError, ValueError, KeyError, subprocess.SubprocessError) as wrong:
            failed += 1
            line = wrong.__traceback__.tb_next.tb_lineno
            print(f"FAILED {case.__name__}: line {line}: {type(wrong).__name__} {wrong}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main())
