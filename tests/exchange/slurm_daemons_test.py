#!/usr/bin/python3
"""slurm_daemons_test.py BUILD: the lines of `carve export` given to Debian's slurmctld and slurmd, on loopback, with
their state in a folder of their own; jobs are `carve sim load`, which finds its device as a CUDA program does.

slurmd takes device nodes only, and those of simulated cards are empty files. So for the daemons every path below the
machine's dev/ becomes one of the same name in the cluster's folder, a link to /dev/null; nothing else of the lines is
touched. Authentication is auth/none: the test needs no munge."""

import contextlib
import getpass
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from slurm_test import BALANCED, MPS, NOTEBOOKS, export, equal, gres, machine_with, planned, run_tests  # noqa: E402

PROGRAMS = ("slurmctld", "slurmd", "srun", "scontrol", "sinfo", "squeue")
LIMIT_S = 60
CONF = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
TaskProlog={folder}/prolog
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=0
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def free_ports(count):
    with contextlib.ExitStack() as open_ones:
        sockets = [open_ones.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def until(ask, expected, what):
    """Asks until the answer is one of those that are expected."""
    end = time.monotonic() + LIMIT_S
    while (answer := ask()) not in expected:
        assert time.monotonic() < end, f"{what}: expected {expected}, got {answer!r} for {LIMIT_S} s"
        time.sleep(0.1)
    return answer


class Cluster:
    """slurmctld and slurmd of one node, n1, that has the machine's cards."""

    def __init__(self, machine):
        self.machine = machine
        self.folder = pathlib.Path(machine.folder.name) / "slurm"
        for name in ("state", "spool", "dev/nvidia-caps"):
            (self.folder / name).mkdir(parents=True)
        self.ports = free_ports(2)
        self.daemons = {}
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nCgroupAutomount=no\nIgnoreSystemd=yes\n")
        self.environment = {
            **machine.environment(),
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "SLURM_CONF": str(self.folder / "slurm.conf"),
            "LD_LIBRARY_PATH": str(pathlib.Path(machine.build).resolve() / "simgpu" / "580"),
        }
        self.carve = pathlib.Path(machine.build).resolve() / "carve"

    def configure(self, *plan, change=lambda text: text):
        """Writes what carve exports to where Slurm reads it; `change` is done to the lines of gres.conf."""
        dev = os.path.join(self.machine.path, "root", "dev")
        lines = change(export(self.machine, "gres.conf", *plan))
        for node in set(re.findall(rf"{re.escape(dev)}/([\w/-]+)", lines)):
            link = self.folder / "dev" / node
            if not link.is_symlink():
                link.symlink_to("/dev/null")
        (self.folder / "gres.conf").write_text(lines.replace(dev, str(self.folder / "dev")))
        counts = export(self.machine, "slurm.conf", *plan)
        own = f" NodeHostname={socket.gethostname()} NodeAddr=127.0.0.1 CPUs=64"
        counts = re.sub(r"^NodeName=n1 .*$", lambda line: line.group() + own, counts, flags=re.MULTILINE)
        values = {"host": socket.gethostname(), "user": getpass.getuser(), "folder": self.folder}
        common = CONF.format(controller=self.ports[0], daemon=self.ports[1], **values)
        (self.folder / "slurm.conf").write_text(common + counts)
        prolog = self.folder / "prolog"
        prolog.write_text(export(self.machine, "slurm-prolog", *plan))
        prolog.chmod(0o755)

    def start(self, name, *words):
        self.stop(name)
        with open(self.folder / f"{name}.out", "ab") as out:
            self.daemons[name] = subprocess.Popen(
                [shutil.which(name, path=self.environment["PATH"]), "-D", *words],
                env=self.environment, stdout=out, stderr=out, stdin=subprocess.DEVNULL, cwd=self.folder,
            )  # fmt: skip

    def stop(self, name):
        daemon = self.daemons.pop(name, None)
        if daemon is None:
            return
        daemon.terminate()
        try:
            daemon.wait(20)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()

    def restart(self):
        self.start("slurmctld")
        until(lambda: self.tell("scontrol", "ping")[0], [0], "slurmctld answers")
        self.start("slurmd", "-N", "n1")

    def tell(self, *words):
        done = subprocess.run(
            words, env=self.environment, capture_output=True, text=True, timeout=LIMIT_S, check=False, cwd=self.folder
        )
        return done.returncode, done.stdout, done.stderr

    def node(self, field):
        found = re.search(rf"\b{field}=(.*)", self.tell("scontrol", "show", "node", "n1")[1])
        return found.group(1).split()[0] if found and field != "Reason" else found and found.group(1)

    def ready(self):
        until(lambda: self.node("State"), ["IDLE"], "the node is idle")

    def resume(self):
        equal(self.tell("scontrol", "update", "NodeName=n1", "State=RESUME"), (0, "", ""))
        self.ready()

    def srun(self, gres_words, *command):
        """(exit code, output) of a job that gets its devices at once, or never."""
        code, out, said = self.tell("srun", "--quiet", "--immediate=5", f"--gres={gres_words}", *map(str, command))
        return code, out + said

    def load(self, gres_words):
        """A job that says on which device it is, and stays there until its process is ended."""
        return subprocess.Popen(
            ["srun", f"--gres={gres_words}", str(self.carve), "sim", "load", "--memory", "1GiB"],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder,
        )  # fmt: skip


@contextlib.contextmanager
def cluster(machine):
    made = Cluster(machine)
    try:
        yield made
    except (AssertionError, subprocess.SubprocessError):
        for log in ("slurmctld.log", "slurmd.log"):
            if (made.folder / log).exists():
                print(f"{log}:", *(made.folder / log).read_text().splitlines()[-15:], sep="\n  ")
        raise
    finally:
        made.tell("scancel", "--user", getpass.getuser())
        with contextlib.suppress(AssertionError):
            until(lambda: made.tell("squeue", "-h")[1], [""], "jobs end")
        for name in ("slurmd", "slurmctld"):
            made.stop(name)


def device_of(process):
    said = process.stdout.readline()
    found = re.match(r"holding .* on (\S+) \(card (\d+)", said)
    assert found, said + process.stderr.read()
    return found.group(1)


def ended(processes):
    for process in processes:
        process.terminate()
    for process in processes:
        process.communicate(timeout=LIMIT_S)


# ---------------------------------------------------------------------------------------------------------------- tests


def every_slice_for_one_job(build):
    """All can be had at once, each by the type that was asked for, and one more job waits."""
    machine = machine_with(build, "2xa100-40gb")
    machine.carve("import", machine.write("parted.yaml", BALANCED), "--apply")
    text = export(machine, "gres.conf")
    type_of = {uuid: kind for kind, uuid in re.findall(r"^# \d+: card \d+, (\S+)@\d+, (\S+)$", text, re.MULTILINE)}
    with cluster(machine) as slurm:
        slurm.configure()
        slurm.restart()
        slurm.ready()
        counts = gres(export(machine, "slurm.conf"))
        equal(counts, {"gpu:1g.5gb": 4, "gpu:2g.10gb": 2, "gpu:3g.20gb": 2})
        shown = slurm.node("Gres")
        equal(shown, ",".join(f"{name}:{count}" for name, count in counts.items()))
        equal(slurm.tell("sinfo", "-h", "-o", "%G")[1].strip(), shown)
        jobs = [(name, slurm.load(f"{name}:1")) for name, count in counts.items() for _ in range(count)]
        held = {}
        for name, job in jobs:
            uuid = device_of(job)
            equal(f"gpu:{type_of[uuid]}", name, uuid)
            held[uuid] = job
        equal(set(held), set(type_of))
        waits = slurm.load("gpu:2g.10gb:1")
        until(lambda: slurm.tell("squeue", "-h", "-t", "PENDING", "-o", "%r")[1].strip(), ["Resources"], "one waits")
        ended([held[uuid] for uuid, kind in type_of.items() if kind == "2g.10gb"][:1])
        equal(type_of[device_of(waits)], "2g.10gb")
        ended([waits, *(job for _, job in jobs)])
        slurm.ready()
        # What jobs are told: numbers by Slurm, UUIDs by the TaskProlog, also several in one job.
        code, out = slurm.srun("gpu:2g.10gb:2", "sh", "-c", "echo $SLURM_STEP_GPUS $CUDA_VISIBLE_DEVICES")
        numbers, uuids = out.split()
        equal((code, numbers), (0, "4,5"))
        equal([type_of[uuid] for uuid in uuids.split(",")], ["2g.10gb"] * 2)
        code, out = slurm.srun("gpu:mig:1", "true")  # no profile
        assert code != 0 and "not available" in out, out
        code, out = slurm.srun("gpu:2g.10gb", "true")  # a profile without a count
        assert code != 0 and "Invalid" in out, out
        assert slurm.srun("gpu:3g.20gb:3", "true")[0] != 0


def counts_and_lines_that_differ(build):
    """Fewer than Gres= says drains the node, more does not; the order that is given leaves it in use."""
    machine = machine_with(build, "h100-80gb")
    machine.carve("import", machine.write("parted.yaml", BALANCED.replace("5gb", "10gb").replace("2g.10", "2g.20")
                                          .replace("3g.20", "3g.40")), "--apply")  # fmt: skip
    last = re.compile(r"\nNodeName=n1 Name=gpu Type=3g.40gb .*")
    with cluster(machine) as slurm:
        slurm.configure(change=lambda text: last.sub("", text))
        slurm.restart()
        until(lambda: "DRAIN" in (slurm.node("State") or ""), [True], "the node is drained")
        assert "count reported lower than configured" in slurm.node("Reason"), slurm.node("Reason")
        # Slurm may forget the drain with the daemons that it ended, and may not.
        slurm.configure()
        slurm.restart()
        if until(lambda: slurm.node("State"), ["IDLE", "IDLE+DRAIN"], "the node is there again") == "IDLE+DRAIN":
            slurm.resume()
        equal(slurm.srun("gpu:3g.40gb:1", slurm.carve, "sim", "load", "--for", "0s")[0], 0)


def a_recut_in_the_order_that_is_given(build):
    machine = machine_with(build, "h100-80gb")
    layout = "version: v1\nmig-configs:\n  one:\n    - {devices: all, mig-enabled: true, mig-devices: {%s}}\n"
    machine.carve("import", machine.write("parted.yaml", layout % '"1g.10gb": 7'), "--apply")
    with cluster(machine) as slurm:
        slurm.configure()
        slurm.restart()
        slurm.ready()
        equal(slurm.node("Gres"), "gpu:1g.10gb:7")
        equal(slurm.tell("scontrol", "update", "NodeName=n1", "State=DRAIN", "Reason=carve")[0], 0)
        until(lambda: slurm.node("State"), ["IDLE+DRAIN"], "nothing runs there")
        machine.carve("import", machine.write("parted.yaml", layout % '"3g.40gb": 2'), "--apply")
        slurm.configure()
        slurm.restart()
        until(lambda: slurm.node("State"), ["IDLE+DRAIN"], "the node is there again")
        slurm.resume()
        equal(slurm.node("Gres"), "gpu:3g.40gb:2")
        code, out = slurm.srun("gpu:3g.40gb:1", slurm.carve, "sim", "load", "--memory", "30GiB", "--for", "0s")
        assert code == 0 and "holding 30.0 GiB on MIG-" in out, out


def mps_on_two_cards(build):
    """Both cards at once, each by percentages; a job that wants a whole card waits for an empty one."""
    machine = machine_with(build, "2xt4")
    plan = planned(machine, "workloads:\n" + MPS.replace("replicas: 4", "replicas: 8"))
    with cluster(machine) as slurm:
        slurm.configure(plan)
        slurm.restart()
        slurm.ready()
        equal(slurm.node("Gres").replace("mps:tesla_t4:", "mps:"), "gpu:tesla_t4:2,mps:200")
        percent = re.search(r"small: 8 x --gres=mps:(\d+)", export(machine, "slurm.conf", plan)).group(1)
        jobs = [slurm.load(f"mps:{percent}") for _ in range(8)]
        equal(len({device_of(job) for job in jobs}), 2)
        code, out = slurm.srun("gpu:tesla_t4:1", "true")
        assert code != 0 and "busy" in out, out
        ended(jobs)
        code, out = slurm.srun(f"mps:{percent}", "sh", "-c", "echo $CUDA_MPS_ACTIVE_THREAD_PERCENTAGE")
        equal((code, out.strip()), (0, percent))


def shards_beside_a_whole_card(build):
    """As many jobs as the plan has, and no memory limit: what is said not to be enforced is not."""
    machine = machine_with(build, "2xt4")
    whole = "  - {name: alone, tenant: vision, replicas: 1, memory: 14GiB, objective: throughput}\n"
    plan = planned(machine, "workloads:\n" + NOTEBOOKS + whole)
    with cluster(machine) as slurm:
        slurm.configure(plan)
        slurm.restart()
        slurm.ready()
        jobs = [slurm.load("shard:1") for _ in range(3)]
        equal(len({device_of(job) for job in jobs}), 1)
        code, out = slurm.srun("shard:1", "true")
        assert code != 0 and "busy" in out, out
        code, out = slurm.srun("gpu:tesla_t4:1", slurm.carve, "sim", "load", "--memory", "14GiB", "--for", "0s")
        assert code == 0 and "holding 14.0 GiB" in out, out
        ended(jobs)
        equal(slurm.srun("shard:1", slurm.carve, "sim", "load", "--memory", "10GiB", "--for", "0s")[0], 0)


def why_sharing_beside_slices_is_refused(build):
    """With `shard` among GresTypes slurmd takes every file of a slice for a card, and slices cannot be had."""
    machine = machine_with(build, "a100-40gb")
    machine.carve("import", machine.write("parted.yaml", BALANCED), "--apply")
    with cluster(machine) as slurm:
        slurm.configure()
        conf = slurm.folder / "slurm.conf"
        conf.write_text(conf.read_text().replace("GresTypes=gpu\n", "GresTypes=gpu,shard\n"))
        slurm.restart()
        slurm.ready()
        code, out = slurm.srun("gpu:3g.20gb:1", "true")
        assert code != 0 and "Invalid generic resource" in out, out


TESTS = [
    every_slice_for_one_job,
    counts_and_lines_that_differ,
    a_recut_in_the_order_that_is_given,
    mps_on_two_cards,
    shards_beside_a_whole_card,
    why_sharing_beside_slices_is_refused,
]

if __name__ == "__main__":
    os.umask(0o022)
    missing = [name for name in PROGRAMS if not shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin")]
    if missing:
        print(f"not there: {', '.join(missing)}; 'deploy/install-packages all' installs them")
        sys.exit(1)
    only = sys.argv[2:]
    sys.exit(run_tests(sys.argv[1], [test for test in TESTS if not only or test.__name__ in only]))
