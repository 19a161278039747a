#!/usr/bin/python3
"""slurm_test.py BUILD: what `carve export` writes for Slurm, and what it refuses to write: each test stands for
something that goes wrong where people write these lines by hand. slurm_daemons_test.py gives the lines to Slurm."""

import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "live"))
sys.dont_write_bytecode = True
from machine import Machine, run, run_tests  # noqa: E402

# {2x 1g, 1x 2g, 1x 3g} on every card.
BALANCED = """version: v1
mig-configs:
  balanced:
    - devices: all
      mig-enabled: true
      mig-devices: {"1g.5gb": 2, "2g.10gb": 1, "3g.20gb": 1}
"""
ONE_CARD = """version: v1
mig-configs:
  one:
    - {devices: [0], mig-enabled: true, mig-devices: {"1g.10gb": 7}}
"""
SERVING = """workloads:
  - {name: reranker, tenant: search, replicas: 2, memory: 18GiB, objective: {p99: 60ms}}
  - {name: small, tenant: vision, replicas: 3, memory: 5GiB, objective: {p99: 60ms}}
"""
MPS = "  - {name: small, tenant: vision, replicas: 4, memory: 3GiB, isolation: cooperative, objective: throughput}\n"
NOTEBOOKS = """  - name: notebooks
    tenant: research
    replicas: 3
    memory: 2GiB
    duty: 10%
    interruptible: true
    objective: best-effort
"""


def machine_with(build, cards):
    """Simulated cards with their files of /proc and /dev."""
    machine = Machine(build, cards)
    (pathlib.Path(machine.path) / "root").mkdir()
    return machine


def equal(real, expected, about=""):
    assert real == expected, f"{about}: expected {expected!r}, got {real!r}"


def export(machine, name, *words, expect=0):
    plan = [words[0]] if words and not words[0].startswith("--") else []
    return machine.carve("export", *plan, "--as", name, "--node-name", "n1", *words[len(plan) :], expect=expect)


def planned(machine, text):
    """The path of a plan for the cards of the machine."""
    path = machine.folder.name + "/plan.json"
    machine.carve("plan", machine.write("team.yaml", text), "-o", path)
    return path


def lines(text):
    """The lines of gres.conf that name something: a mapping each."""
    found = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            found.append(dict(word.split("=", 1) for word in line.split()))
    return [line for line in found if "Name" in line]


def gres(text):
    """{type: count} of slurm.conf."""
    counted = re.search(r"^NodeName=n1 Gres=(.*)$", text, re.MULTILINE).group(1)
    return {name: int(count) for name, count in (one.rsplit(":", 1) for one in counted.split(","))}


def minor(path):
    return int(re.search(r"DeviceFileMinor: (\d+)", pathlib.Path(path).read_text()).group(1))


def refused(said, *words):
    for word in words:
        assert word in said, f"no {word!r} in {said!r}"


# ----------------------------------------------------------------------------------------------------------- the slices


def three_files_for_each_slice(build):
    """Of every MIG device the card's file and those of its two instances, by the minors of the driver."""
    machine = machine_with(build, "4xa100-40gb")
    machine.carve("import", machine.write("parted.yaml", BALANCED), "--apply")
    text = export(machine, "gres.conf")
    equal(gres(export(machine, "slurm.conf")), {"gpu:1g.5gb": 8, "gpu:2g.10gb": 4, "gpu:3g.20gb": 4})
    by_uuid = {}
    for comment, line in re.findall(r"^# (\d+: .*)\n(NodeName=.*)$", text, re.MULTILINE):
        by_uuid[comment.split(", ")[-1]] = dict(word.split("=", 1) for word in line.split())
    root = pathlib.Path(machine.path) / "root"
    seen = 0
    for card in json.loads(machine.carve("status", "--json"))["cards"]:
        whole = f"gpu{card['minor']}"
        parent = f"{root}/dev/nvidia{card['minor']}"
        for instance in card["instances"]:
            for compute in instance["compute_instances"]:
                folder = root / "proc/driver/nvidia/capabilities" / whole / f"mig/gi{instance['gpu_instance']}"
                caps = [minor(folder / "access"), minor(folder / f"ci{compute['compute_instance']}" / "access")]
                expected = [parent, *(f"{root}/dev/nvidia-caps/nvidia-cap{number}" for number in caps)]
                line = by_uuid[compute["uuid"]]
                equal(line["MultipleFiles"].split(","), expected, compute["uuid"])
                equal(line["Type"], instance["profile"])
                seen += 1
    equal((seen, len(lines(text))), (16, 16))
    assert any(card["index"] != card["minor"] for card in json.loads(machine.carve("status", "--json"))["cards"])


def nothing_is_owned_twice(build):
    """Each instance, and each whole card, in one line only; on one node with one name."""
    machine = machine_with(build, "2xh100-80gb,t4")
    machine.carve("import", machine.write("parted.yaml", ONE_CARD), "--apply")
    owned = lines(export(machine, "gres.conf"))
    files = [line.get("File") or line["MultipleFiles"].split(",", 1)[1] for line in owned]
    equal(len(files), len(set(files)))
    equal([line["Type"] for line in owned], ["1g.10gb"] * 7 + ["nvidia_h100_80gb_hbm3", "tesla_t4"])
    equal({line["NodeName"] for line in owned}, {"n1"})


def the_lines_stand_alone(build):
    """No detection beside them, a type and a count for everything, and the counts fit the lines."""
    machine = machine_with(build, "2xh100-80gb")
    machine.carve("import", machine.write("parted.yaml", ONE_CARD), "--apply")
    text = export(machine, "gres.conf")
    equal(re.findall(r"AutoDetect=\S+", text), ["AutoDetect=off"])
    counts = gres(export(machine, "slurm.conf"))
    equal(sum(counts.values()), len(lines(text)))
    for name in counts:
        assert re.fullmatch(r"gpu:[a-z0-9._+-]+", name), name


def the_order_is_given(build):
    """Drain, cut, counts, restart, resume; the controller before the node."""
    machine = machine_with(build, "h100-80gb")
    for name in ("gres.conf", "slurm.conf"):
        text = export(machine, name)
        steps = ["State=DRAIN", "carve apply", "Gres= in slurm.conf", "restart slurmctld, then slurmd", "State=RESUME"]
        places = [text.index(step) for step in steps]
        equal(places, sorted(places), name)


def a_plan_has_to_be_there(build):
    machine = machine_with(build, "2xh100-80gb")
    plan = planned(machine, SERVING)
    for name in ("gres.conf", "slurm.conf", "slurm-prolog"):
        equal(export(machine, name, plan, expect=1), "")
    done = run(build, ["export", plan, "--as", "gres.conf"], machine.environment())
    refused(done.stderr, "card 0 is not as planned: 5 to make, 0 to remove", "carve apply")
    machine.carve("apply", plan)
    counts = gres(export(machine, "slurm.conf", plan))
    equal(counts, {"gpu:1g.10gb": 3, "gpu:1g.20gb": 1, "gpu:2g.20gb": 1})
    assert "# Not for Slurm: card 1: the plan does not use it." in export(machine, "gres.conf", plan)
    requests = export(machine, "slurm.conf", plan)
    assert "small: 3 x --gres=gpu:1g.10gb:1\n" in requests, requests
    machine.carve("rollback")
    equal(export(machine, "gres.conf", plan, expect=1), "")


def a_job_of_whole_cards(build):
    machine = machine_with(build, "4xh100-80gb")
    work = "workloads:\n  - {name: train, tenant: a, replicas: 2, memory: 70GiB, cards: 2, objective: throughput}\n"
    plan = planned(machine, work)
    assert "train: 2 x --gres=gpu:nvidia_h100_80gb_hbm3:2\n" in export(machine, "slurm.conf", plan)


# ---------------------------------------------------------------------------------------------------- shared partitions


def shared_by_mps(build):
    """Percentages are counted, and what nobody enforces is said."""
    machine = machine_with(build, "2xt4")
    plan = planned(machine, "workloads:\n" + MPS)
    text = export(machine, "gres.conf", plan)
    equal([(line["Name"], line.get("Count")) for line in lines(text)], [("gpu", None), ("mps", "100")])
    equal(lines(text)[0]["File"], lines(text)[1]["File"])
    for said in ("It limits no memory", "no MPS daemon", "for vision alone"):
        assert said in text, said
    text = export(machine, "slurm.conf", plan)
    assert "GresTypes=gpu,mps\nNodeName=n1 Gres=gpu:tesla_t4:1,mps:100\n" in text, text
    assert re.search(r"small: 4 x --gres=mps:\d+ .*at most \d+ MiB, by CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", text), text


def shared_by_time_slicing(build):
    """Shards count jobs, and limit nothing; the card has its own line, too."""
    machine = machine_with(build, "2xt4")
    plan = planned(machine, "workloads:\n" + NOTEBOOKS)
    text = export(machine, "gres.conf", plan)
    equal([(line["Name"], line.get("Count")) for line in lines(text)], [("gpu", None), ("shard", "3")])
    assert "It limits neither their memory nor their time" in text
    text = export(machine, "slurm.conf", plan)
    assert "GresTypes=gpu,shard\nNodeName=n1 Gres=gpu:tesla_t4:1,shard:3\n" in text, text
    assert "notebooks: 3 x --gres=shard:1" in text


def what_slurm_does_not_take(build):
    # Two tenants on one card that is cut, each sharing its slice.
    both = "  - {name: a, tenant: x, replicas: 3, memory: 5GiB, isolation: cooperative, objective: throughput}\n"
    other = machine_with(build, "h100-80gb")
    plan = planned(other, "workloads:\n" + both + both.replace("name: a, tenant: x", "name: b, tenant: y"))
    other.carve("apply", plan)
    refused(export(other, "gres.conf", plan, expect=2), "is shared by mps", "never MIG devices", "help: ")
    # Cards that are shared beside one that is cut; and shared in two ways.
    full = "  - {name: a, tenant: x, replicas: 7, memory: 8GiB, objective: {p99: 60ms}}\n"
    machine = machine_with(build, "h100-80gb,t4")
    plan = planned(machine, "workloads:\n" + full + MPS)
    machine.carve("apply", plan)
    refused(export(machine, "gres.conf", plan, expect=2), "card 0 is cut, and card 1 is shared", "different nodes")
    last = machine_with(build, "2xt4")
    plan = planned(last, "workloads:\n" + MPS + NOTEBOOKS)
    refused(export(last, "slurm.conf", plan, expect=2), "is shared by MPS", "by time slicing", "different nodes")


# ------------------------------------------------------------------------------------------------------------- refusals


def what_is_typed(build):
    machine = machine_with(build, "h100-80gb")

    def wrong(*words):
        return machine.carve("export", *words, expect=2)

    for name in ("a b", "n[1-4]", "n1\nNodeName=n2", "n1,n2", "$(id)"):
        refused(wrong("--as", "gres.conf", "--node-name", name), "no name of a node")
    refused(wrong("--as", "slurm"), "no tool that is known", "gres.conf")
    refused(wrong("--as", "gres.conf", "--label", "x"), "--label means nothing to gres.conf")
    refused(wrong("--node-name", "n1"), "--node-name means nothing to mig-parted")
    refused(wrong("plan.json"), "mig-parted knows layouts, and no plan")
    refused(wrong("--as", "gres.conf", "--bind"), "--bind means nothing")
    refused(wrong("nowhere.json", "--as", "gres.conf"), "nowhere.json")


def what_is_missing(build):
    """slurmd waits for a file that is not there, and then ends: so the file is named before."""
    machine = machine_with(build, "h100-80gb")
    machine.carve("import", machine.write("parted.yaml", ONE_CARD), "--apply")
    root = pathlib.Path(machine.path) / "root"
    node = next((root / "dev/nvidia-caps").glob("nvidia-cap4*"))
    node.unlink()
    refused(export(machine, "gres.conf", expect=3), str(node), "no such device file", "nvidia-modprobe -f /proc/")
    node.touch()
    access = next((root / "proc").glob("driver/nvidia/capabilities/gpu*/mig/gi*/access"))
    access.chmod(0o644)
    access.write_text("DeviceFileMinor: \n")
    refused(export(machine, "gres.conf", expect=3), str(access), "tells no minor")
    machine.carve("sim", "inject", "lose", "0")
    refused(export(machine, "gres.conf", expect=3), "card 0 cannot be read")


TESTS = [
    three_files_for_each_slice,
    nothing_is_owned_twice,
    the_lines_stand_alone,
    the_order_is_given,
    a_plan_has_to_be_there,
    a_job_of_whole_cards,
    shared_by_mps,
    shared_by_time_slicing,
    what_slurm_does_not_take,
    what_is_typed,
    what_is_missing,
]

if __name__ == "__main__":
    sys.exit(run_tests(sys.argv[1], TESTS))
