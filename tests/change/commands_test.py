#!/usr/bin/python3
"""commands_test.py BUILD: `carve diff`, `apply`, `rollback` and `journal` on simulated cards: from a plan to cards that
are cut and back, who is named and who may be disturbed, and what is refused. Interruptions: interrupted_test.py."""

import contextlib
import json
import subprocess
import sys

from changing import Changed, equal, finished, is_alive, run_tests, says

TWO = """workloads:
  - {name: big, tenant: a, replicas: 1, memory: 30GiB, objective: {p99: 50ms}}
  - {name: small, tenant: b, replicas: 2, memory: 4GiB, objective: {p99: 50ms}}
"""
ON_H100 = ("--fleet", "1xh100-80gb")


def a_plan_goes_to_the_cards_and_back(build):
    machine = Changed(build, "2xh100-80gb")
    plan = machine.plan_file(TWO)  # no fleet: for the cards that are there
    wanted = machine.carve("diff", plan, expect=1)
    says(wanted, "card 0", "~ MIG on", "+ 3g.40gb@", "1 of 1 card: 3 made", "nobody is disturbed")
    assert not machine.state.exists(), "a diff leaves nothing behind"
    says(machine.carve("apply", plan), "done, and read back")
    partitions = json.loads(machine.carve("plan", machine.write("team.yaml", TWO), "--json"))["cards"][0]["partitions"]
    equal(machine.layout(), {one["start"]: one["profile"] for one in partitions})
    says(machine.carve("diff", plan), "nothing to do: 1 card as wanted")
    equal(json.loads(machine.carve("diff", plan, "--json"))["same"], True)
    (journal,) = machine.journals()
    equal((journal["number"], journal["command"], journal["outcome"]), (1, "apply", "done"))
    equal([step["state"] for step in journal["steps"]], ["begun", "done"] * 4)
    equal(journal["before"][0]["mig"], False)
    says(machine.carve("journal"), "apply", "done")
    says(machine.carve("journal", "1"), "change 1: apply at", "turn MIG on", "create 3g.40gb")
    says(machine.carve("journal", "7", expect=2), "there is no change 7")
    says(machine.carve("rollback"), "done, and read back")
    equal(machine.layouts(), [None, None])
    equal(machine.carve("diff", plan, expect=1), wanted)
    says(machine.carve("rollback"), "done")  # forward again
    says(machine.carve("diff", plan), "nothing to do")


def nothing_to_go_back_to(build):
    machine = Changed(build, "h100-80gb")
    says(machine.carve("rollback", expect=2), "nothing was changed here yet")
    says(machine.carve("apply", "--last", expect=2), "nothing was applied here yet", "carve apply PLAN")
    says(machine.carve("apply", expect=2), "expected a plan, or --last")
    plan = machine.plan_file(TWO)
    says(machine.carve("apply", plan, "--last", expect=2), "a plan and --last at the same time")
    says(machine.carve("apply", plan, "--drain", "now", expect=2), "`now` is no way to drain", "refuse, wait or stop")
    says(machine.carve("apply", plan, "--drain-limit", "5", expect=2), "--drain-limit")
    says(machine.carve("diff", plan, "--as", "fdisk", expect=2), "`fdisk` is no tool that is known")
    equal(machine.layout(), None)


def a_change_without_steps_is_not_what_rollback_undoes(build):
    machine = Changed(build, "h100-80gb")
    plan = machine.plan_file(TWO)
    machine.carve("apply", plan)
    machine.carve("apply", plan)
    machine.carve("rollback")
    equal(machine.layout(), None)


# ------------------------------------------------------------------------------------------------------ which card


def a_plan_without_hardware_is_bound_only_when_asked(build):
    machine = Changed(build, "2xh100-80gb")
    plan = machine.plan_file(TWO, *ON_H100)
    for command in ("diff", "apply"):
        says(machine.carve(command, plan, expect=2), "made without hardware", "--bind")
    equal(machine.layouts(), [None, None])
    says(machine.carve("diff", plan, "--bind", expect=1), "1 of 1 card")
    machine.carve("apply", plan, "--bind")
    equal([len(machine.layout() or ()), machine.layout(1)], [3, None])
    says(machine.carve("apply", plan, "--bind", "--node", "elsewhere", expect=2), "no host elsewhere", "it has node-0")


def a_live_plan_finds_its_cards_by_uuid(build):
    machine = Changed(build, "a100-80gb,2xh100-80gb")
    plan = machine.plan_file(TWO)
    document = json.loads(open(plan).read())
    (card,) = [card for card in document["cards"] if card["partitions"]]
    for entry in [card, *(live for fleet in document["fleet"] for live in fleet["live"])]:
        entry["index"] += 40  # the machine counts its cards otherwise by now
    machine.carve("apply", machine.write("plan.json", json.dumps(document)))
    uuids = {one["uuid"]: len(layout or ()) for one, layout in zip(machine.cards(), machine.layouts())}
    equal(uuids, {uuid: 3 if uuid == card["uuid"] else 0 for uuid in uuids})
    other = Changed(build, "seed: 5\ncards: [{card: h100-80gb}]\n")
    says(other.carve("apply", plan, expect=2), "is no card of this machine", "carve plan")


def plans_for_other_machines_are_refused(build):
    machine = Changed(build, "a100-80gb")
    plan = machine.plan_file(TWO, *ON_H100)
    said = machine.carve("apply", plan, "--bind", expect=2)
    says(said, "node-0/0 of the plan is a h100-sxm5-80gb", "card 0 of this machine is a a100-80gb")
    many = TWO.replace("replicas: 1", "replicas: 6")
    plan = machine.plan_file(many, "--fleet", "4xa100-80gb")
    says(machine.carve("apply", plan, "--bind", expect=2), "has no counterpart: this machine has 1 card")
    fleet = "fleet: [{card: a100-80gb, count: 2, nodes: 2}]\n"
    plan = machine.plan_file(fleet + many.replace("replicas: 6", "replicas: 3"))
    said = machine.carve("apply", plan, "--bind", expect=2)
    says(said, "the plan has 2 hosts, and this machine is one", "--node names the one that it is: node-0, node-1")
    machine.carve("apply", plan, "--bind", "--node", "node-1")
    assert machine.layout()


def a_plan_comes_from_standard_input_too(build):
    machine = Changed(build, "h100-80gb")
    plan = machine.plan_file(TWO)
    words = [machine.build / "carve", "apply", "-", "--sim-dir", machine.path]
    with open(plan) as text:
        done = subprocess.run(words, env={"LC_ALL": "C.UTF-8"}, stdin=text, capture_output=True, text=True, check=False)
    equal(done.returncode, 0, done.stderr)
    equal(len(machine.layout()), 3)
    machine.carve("rollback", "--sim-dir", machine.path, CARVE_SIM_DIR="")
    says(machine.carve("diff", machine.write("not.json", "{"), expect=2), "not.json")
    says(machine.carve("diff", machine.write("not.json", '{"format": "carve-plan/9"}'), expect=2), "carve-plan/9")
    says(machine.carve("apply", machine.write("not.json", "{}"), expect=2), "format")
    equal(machine.layout(), None)


def commands_of_nvidia_smi_do_the_same(build):
    machine, other = Changed(build, "a100-80gb"), Changed(build, "a100-80gb")
    plan = machine.plan_file(TWO)
    smi = machine.build / "simgpu" / "bin" / "nvidia-smi"
    for line in machine.carve("diff", plan, "--as", "nvidia-smi", expect=1).splitlines():
        words = line.split()
        equal(words[0], "nvidia-smi")
        environment = machine.environment(LD_LIBRARY_PATH=str(machine.build / "simgpu" / "580"))
        done = subprocess.run([smi, *words[1:]], env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (line, done.stdout + done.stderr)
    other.carve("apply", plan)
    equal(machine.layouts(), other.layouts())
    says(machine.carve("diff", plan), "nothing to do")


# --------------------------------------------------------------------------------------------------- who is in the way


def holders_are_named_and_not_disturbed(build):
    machine = Changed(build, "h100-80gb")
    machine.cut({"3g.40gb": 1, "1g.10gb": 1})
    (start,) = [start for start, profile in machine.layout().items() if profile == "3g.40gb"]
    before = machine.layout()
    with machine.hold(machine.device(0, start)) as holder:
        wanted = machine.config({"7g.80gb": 1})
        who = machine.who(holder)
        shown = machine.carve("import", wanted, expect=1)
        says(shown, f"3g.40gb@{start}", f"disturbs {who}", "1 card cannot be changed")
        said = machine.carve("import", wanted, "--apply", expect=3)
        says(said, f"3g.40gb@{start} has to go and is held by {who}", "nothing was changed", "--drain wait")
        equal(machine.layout(), before)
        assert is_alive(holder)
        change = json.loads(machine.carve("import", wanted, "--json", expect=1))
        (obstacle,) = change["cards"][0]["obstacles"]
        equal((obstacle["kind"], change["possible"]), ("occupied", False))
        disturbed = [one["pid"] for step in change["cards"][0]["steps"] for one in step["disturbs"]]
        equal(disturbed, [holder.pid])
    machine.carve("import", wanted, "--apply")
    equal(machine.layout(), {0: "7g.80gb"})


def waiting_ends_when_they_end_or_with_the_limit(build):
    machine = Changed(build, "h100-80gb")
    machine.cut({"7g.80gb": 1})
    wanted = machine.config({"3g.40gb": 2})
    drain = ("--apply", "--drain", "wait", "--drain-limit")
    with machine.hold(machine.device(0, 0)) as holder:
        said = machine.run("import", wanted, *drain, "300ms")
        equal(said[0], 4, said)
        says(said[1], f"destroy 7g.80gb@0: it is still held by {machine.who(holder)}", "--drain-limit")
        equal(machine.layout(), {0: "7g.80gb"})
        assert is_alive(holder)
        with machine.start("import", wanted, *drain, "50s", "--json") as change:
            line = json.loads(change.stdout.readline())
            equal(line["event"], "waiting", line)
            says(line["message"], f"held by {holder.pid}")
            holder.terminate()
            code, printed, _ = finished(change)
            equal((code, json.loads(printed.splitlines()[-1])["outcome"]), (0, "done"))
    equal(machine.layout(), {0: "3g.40gb", 4: "3g.40gb"})


def only_who_may_be_stopped_is_stopped(build):
    machine = Changed(build, "h100-80gb")
    machine.cut({"7g.80gb": 1})
    wanted = machine.config({"3g.40gb": 2})
    with machine.hold(machine.device(0, 0)) as holder:
        code, printed, _ = machine.run("import", wanted, "--apply", "--drain", "stop")
        equal(code, 4, printed)
        says(printed, f"held by {machine.who(holder)}", "not started by carve", "--stop-foreign")
        equal(machine.layout(), {0: "7g.80gb"})
        assert is_alive(holder)
        machine.carve("import", wanted, "--apply", "--drain", "stop", "--stop-foreign")
        equal(machine.layout(), {0: "3g.40gb", 4: "3g.40gb"})
        equal(finished(holder)[0], 0, "it was asked, and ended by itself")


MONITOR = """
import ctypes, sys
node = open(sys.argv[1])
nvml = ctypes.CDLL("libnvidia-ml.so.1")
assert nvml.nvmlInit_v2() == 0
print("looking", flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def monitoring(machine):
    """A program that has NVML and the node of card 0 open, as those do that show what cards do."""
    environment = machine.environment(LD_LIBRARY_PATH=str(machine.build / "simgpu" / "580"))
    minor = machine.cards()[0]["minor"]
    words = ["/usr/bin/python3", "-c", MONITOR, str(machine.state.parents[2] / f"dev/nvidia{minor}")]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, env=environment, stdin=pipe, stdout=pipe, text=True) as monitor:
        assert monitor.stdout.readline() == "looking\n"
        yield monitor
        monitor.stdin.close()


def monitors_are_named(build):
    """A program that has the card open holds no memory, and stands in the way of a change of mode all the same."""
    machine = Changed(build, "2xa100-80gb")
    machine.inject("block", "nvsm", "0")
    code, printed, _ = machine.run("import", machine.config({"7g.80gb": 1}, {"7g.80gb": 1}), "--apply")
    equal(code, 4, printed)
    says(printed, "card 0", "somebody has the card open", "monitors count as well", "card 1: as wanted")
    equal(machine.layouts(), [None, {0: "7g.80gb"}])
    card = machine.cards()[0]["mig"]
    equal((card["current"], card["pending"]), (False, False), "the pending change was taken back")
    machine.inject("unblock", "nvsm")
    root = machine.folder.name + "/other"
    for words in ((), ("--root", root)):
        with monitoring(machine) as monitor:
            code, printed, _ = machine.run("import", machine.config({"7g.80gb": 1}), "--apply", *words)
            equal(code, 4, printed)
            says(printed, "card 0", "somebody has the card open", f"python3 ({monitor.pid}")
            assert is_alive(monitor)
    machine.cut({"7g.80gb": 1})


def what_others_made_is_theirs(build):
    machine = Changed(build, "h100-80gb")
    machine.cut({"3g.40gb": 2})
    (machine.state / "made.json").unlink()
    wanted = machine.config({"7g.80gb": 1})
    said = machine.carve("import", wanted, "--apply", expect=3)
    says(said, "3g.40gb@0 has to go and was not made by carve", "--replace-foreign")
    machine.carve("import", machine.config({"3g.40gb": 1, "1g.10gb": 1}), expect=1)
    equal(machine.layout(), {0: "3g.40gb", 4: "3g.40gb"})
    machine.carve("import", wanted, "--apply", "--replace-foreign")
    equal(machine.layout(), {0: "7g.80gb"})


def one_of_six_changes_and_five_live_on(build):
    """done is read back, and the five have the same device as before."""
    machine = Changed(build, "h100-80gb")
    machine.cut({"1g.10gb": 5, "1g.20gb": 1})
    before = machine.layout()
    kept = [start for start, profile in before.items() if profile == "1g.10gb"]
    equal(len(kept), 5)
    devices = [machine.device(0, start) for start in kept]
    with contextlib.ExitStack() as stack:
        holders = [stack.enter_context(machine.hold(device)) for device in devices]
        said = machine.carve("import", machine.config({"1g.10gb": 7}), "--apply")
        says(said, "card 0: as wanted, after 3 steps", "done, and read back")
        equal(machine.layout(), {start: "1g.10gb" for start in range(7)})
        assert all(is_alive(holder) for holder in holders)
        equal(sorted(one["pid"] for one in machine.cards()[0]["occupants"]), sorted(one.pid for one in holders))
        equal([machine.device(0, start) for start in kept], devices)


def two_at_once_are_kept_apart(build):
    machine = Changed(build, "h100-80gb")
    machine.inject("latency", "kubelet")
    first = machine.config({"1g.10gb": 2})
    with machine.start("import", first, "--apply") as change:
        machine.wait_for_journal(1, 2)
        for words in (("import", first, "--apply"), ("rollback",), ("apply", "--last")):
            said = machine.carve(*words, expect=3)
            says(said, f"another carve changes cards now: process {change.pid}: import", "nothing was changed")
        machine.carve("journal")  # who only reads is not kept out
        equal(finished(change)[0], 0)
    machine.inject("latency", "none")
    equal([one["outcome"] for one in machine.journals()], ["done"])
    machine.carve("rollback")


# ------------------------------------------------------------------------------------------------- modes and resets


def only_the_card_that_changes_is_reset(build):  # case O2
    machine = Changed(build, "2xa100-40gb")
    with machine.hold(0) as holder:
        wanted = machine.config(..., {"3g.20gb": 2})
        says(machine.carve("import", wanted, expect=1), "1 reset", "nobody is disturbed")
        machine.carve("import", wanted, "--apply")
        equal(machine.layouts(), [None, {0: "3g.20gb", 4: "3g.20gb"}])
        assert is_alive(holder)
        (journal,) = machine.journals()
        resets = {step["card"] for step in journal["steps"] if step["act"] == "reset" and step["state"] == "done"}
        equal(resets, {machine.cards()[1]["uuid"]})


def a_held_card_is_not_reset(build):  # case O2, a variant
    machine = Changed(build, "2xa100-40gb")
    with machine.hold(1) as holder:
        said = machine.carve("import", machine.config(..., {"3g.20gb": 2}), "--apply", expect=3)
        says(said, "card 1: its MIG mode has to change and it is held by", machine.who(holder))
        card = machine.cards()[1]["mig"]
        equal((card["current"], card["pending"]), (False, False))
        assert is_alive(holder)
        assert not machine.journals()


def later_cards_need_no_reset(build):  # case O2, a variant
    machine = Changed(build, "h100-80gb")
    machine.cut({"3g.40gb": 2})
    assert not [step for step in machine.journals()[0]["steps"] if step["act"] == "reset"]


def passed_through(change):
    return f"cards:\n  - {{card: a100-40gb, mode-change: {change}}}\n"


def a_mode_that_needs_a_reboot_is_a_result_of_its_own(build):  # case O3
    machine = Changed(build, passed_through("needs-reboot"))
    wanted = machine.config({"3g.20gb": 2})
    code, printed, _ = machine.run("import", wanted, "--apply")
    equal(code, 5, printed)
    says(printed, "reboot the machine; then 'carve apply --last' goes on")
    equal((machine.cards()[0]["mig"]["pending"], machine.layout()), (True, None))
    (journal,) = machine.journals()
    equal(journal["outcome"], "reboot-needed")
    assert not [step for step in journal["steps"] if step["act"] == "create"], "no instance was tried"
    machine.sim("reboot")
    machine.carve("apply", "--last")
    equal(machine.layout(), {0: "3g.20gb", 4: "3g.20gb"})


def a_reset_that_only_claims_success_is_found_out(build):  # case O3
    machine = Changed(build, passed_through("ignores-reset"))
    code, printed, _ = machine.run("import", machine.config({"3g.20gb": 2}), "--apply")
    equal(code, 5, printed)
    says(printed, "its MIG mode is still pending after a reset", "reboot the machine")
    equal(machine.layout(), None)
    machine.sim("reboot")
    machine.carve("apply", "--last")
    equal(machine.layout(), {0: "3g.20gb", 4: "3g.20gb"})


def a_mode_that_only_claims_success_is_found_out(build):  # case O3
    machine = Changed(build, passed_through("pretends"))
    code, printed, _ = machine.run("import", machine.config({"3g.20gb": 2}), "--apply")
    equal(code, 4, printed)
    says(printed, "turn MIG on: the driver did it, and the mode is what it was", "hypervisor")
    equal(machine.journals()[0]["outcome"], "rolled-back")


def a_reboot_that_did_not_help_is_no_second_one(build):  # case O3
    machine = Changed(build, passed_through("needs-reboot"))
    code, printed, _ = machine.run("import", machine.config({"3g.20gb": 2}), "--apply")
    equal(code, 5, printed)
    # Another boot, and the card is as it was: it was not started again, whatever the hypervisor said.
    boot = machine.state.parents[2] / "proc/sys/kernel/random/boot_id"
    boot.write_text("00000000-0000-4000-8000-000000000002\n")
    code, printed, _ = machine.run("apply", "--last")
    equal(code, 3, printed)
    says(printed, "a reboot did not help")
    equal(machine.layout(), None)
    equal([one["outcome"] for one in machine.journals()], ["reboot-needed", "failed"])


# ------------------------------------------------------------------------------------------------------ failures


def a_card_that_is_lost_half_way(build):
    machine = Changed(build, "2xh100-80gb")
    machine.inject("latency", "kubelet")
    with machine.start("import", machine.config({"3g.40gb": 2}, {"3g.40gb": 2}), "--apply") as change:
        machine.wait_for_journal(1, 4)
        machine.inject("lose", "0")
        machine.inject("latency", "none")
        code, printed, said = finished(change)
    equal(code, 3, printed + said)
    says(printed, "card 0:", "card 1: as wanted", "lost")
    equal(machine.layout(1), {0: "3g.40gb", 4: "3g.40gb"})
    equal(machine.journals()[0]["outcome"], "failed")
    said = machine.carve("apply", "--last", expect=2)
    says(said, "nothing was applied here yet")
    said = machine.carve("rollback", expect=3)
    says(said, "nothing was changed", "carve status")
    machine.sim("reset", "0")
    machine.carve("rollback")
    equal(machine.layouts(), [None, None])


def a_step_that_fails_goes_back(build):
    machine = Changed(build, "2xh100-80gb")
    machine.cut({"7g.80gb": 1}, {"7g.80gb": 1})
    machine.inject("fault", "--function", "nvmlGpuInstanceCreateComputeInstance", "--code", "INSUFFICIENT_RESOURCES")
    code, printed, _ = machine.run("import", machine.config({"3g.40gb": 2}, {"3g.40gb": 2}), "--apply")
    equal(code, 4, printed)
    says(printed, "as it was before, after 2 steps: nvmlGpuInstanceCreateComputeInstance", "as wanted, after")
    layouts = sorted(machine.layouts(), key=len)
    equal(layouts, [{0: "7g.80gb"}, {0: "3g.40gb", 4: "3g.40gb"}])
    equal(machine.journals()[-1]["outcome"], "rolled-back")


def who_may_not_change_cards_is_told(build):
    machine = Changed(build, "h100-80gb")
    wanted = machine.config({"7g.80gb": 1})
    said = machine.carve("import", wanted, "--apply", expect=3, CARVE_SIM_PRIVILEGE="none")
    says(said, "card 0", "told to privileged users only", "nothing was changed")
    equal(machine.layout(), None)


TESTS = [
    a_plan_goes_to_the_cards_and_back,
    nothing_to_go_back_to,
    a_change_without_steps_is_not_what_rollback_undoes,
    a_plan_without_hardware_is_bound_only_when_asked,
    a_live_plan_finds_its_cards_by_uuid,
    plans_for_other_machines_are_refused,
    a_plan_comes_from_standard_input_too,
    commands_of_nvidia_smi_do_the_same,
    holders_are_named_and_not_disturbed,
    waiting_ends_when_they_end_or_with_the_limit,
    only_who_may_be_stopped_is_stopped,
    monitors_are_named,
    what_others_made_is_theirs,
    one_of_six_changes_and_five_live_on,
    two_at_once_are_kept_apart,
    only_the_card_that_changes_is_reset,
    a_held_card_is_not_reset,
    later_cards_need_no_reset,
    a_mode_that_needs_a_reboot_is_a_result_of_its_own,
    a_reset_that_only_claims_success_is_found_out,
    a_mode_that_only_claims_success_is_found_out,
    a_reboot_that_did_not_help_is_no_second_one,
    a_card_that_is_lost_half_way,
    a_step_that_fails_goes_back,
    who_may_not_change_cards_is_told,
]

if __name__ == "__main__":
    sys.exit(run_tests(sys.argv[1], TESTS))
