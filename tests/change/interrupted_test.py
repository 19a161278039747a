#!/usr/bin/python3
"""interrupted_test.py BUILD: changes that do not run to their end: signals, kill -9, journals that are cut short,
damaged or of a newer carve, and full disks. Calls take the time that others measured, so that half way is half way."""

import contextlib
import ctypes
import json
import os
import pathlib
import signal
import sys
import zlib

from changing import Changed, equal, finished, is_alive, run_tests, says

SEVEN = {"1g.10gb": 7}
HALVES = {"3g.40gb": 2}
SMALL = {start: "1g.10gb" for start in range(7)}
TWO = {0: "3g.40gb", 4: "3g.40gb"}


def slow(build, before=None, latency="a30"):
    machine = Changed(build, "h100-80gb")
    if before:
        machine.cut(before)
    machine.inject("latency", latency)
    return machine


def a_signal_goes_back(build):
    for number, name in enumerate((signal.SIGTERM, signal.SIGINT, signal.SIGHUP), 2):
        machine = slow(build, HALVES)
        with machine.start("import", machine.config(SEVEN), "--apply") as change:
            machine.wait_for_journal(2, 4)  # two are destroyed, and one is made
            change.send_signal(name)
            machine.inject("latency", "none")
            code, printed, _ = finished(change)
        equal(code, 4, printed)
        says(printed, "card 0: as it was before", "stopped by a signal", "'carve apply' does it again")
        equal(machine.layout(), TWO)
        equal(machine.journals()[-1]["outcome"], "rolled-back")
        machine.cut(SEVEN)
        equal(machine.layout(), SMALL)


def a_signal_ends_waiting(build):
    machine = Changed(build, "h100-80gb")
    machine.cut({"7g.80gb": 1})
    with machine.hold(machine.device(0, 0)) as holder:
        with machine.start("import", machine.config(HALVES), "--apply", "--drain", "wait", "--json") as change:
            equal(json.loads(change.stdout.readline())["event"], "waiting")
            change.terminate()
            equal(finished(change)[0], 4)
        assert is_alive(holder)
    equal(machine.layout(), {0: "7g.80gb"})


@contextlib.contextmanager
def killed_half_way(build, before, wanted, steps):
    machine = slow(build, before)
    with machine.start("import", machine.config(wanted), "--apply") as change:
        machine.wait_for_journal(2 if before else 1, steps)
        change.kill()
        finished(change)
    machine.inject("latency", "none")
    journal = machine.journals()[-1]
    equal(journal["outcome"], None)
    says(machine.carve("journal"), "interrupted")
    yield machine


def killed_and_gone_on(build):
    for steps in (1, 2, 4, 6):
        with killed_half_way(build, HALVES, SEVEN, steps) as machine:
            assert machine.layout() != SMALL
            machine.carve("apply", "--last")
            equal(machine.layout(), SMALL)
            equal([one["outcome"] for one in machine.journals()], ["done", None, "done"])
            says(machine.carve("apply", "--last"), "nothing to do")


def killed_and_gone_back(build):
    for steps in (1, 2, 4, 6):
        with killed_half_way(build, HALVES, SEVEN, steps) as machine:
            machine.carve("rollback")
            equal(machine.layout(), TWO)


def killed_and_changed_otherwise(build):
    """What was made half way counts as carve's, so another change needs no permission to remove it."""
    with killed_half_way(build, HALVES, SEVEN, 5) as machine:
        machine.cut({"7g.80gb": 1})
        equal(machine.layout(), {0: "7g.80gb"})


def killed_while_the_mode_changes(build):
    machine = Changed(build, "2xa100-80gb")
    machine.inject("kill", "--function", "nvmlDeviceSetMigMode", "--when", "after")
    code, printed, said = machine.run("import", machine.config({"7g.80gb": 1}), "--apply")
    # Who dies is the process that speaks to the driver; carve lives on, and says so.
    equal(code, 4, printed + said)
    says(printed, "nvmlDeviceSetMigMode")
    equal(machine.layouts(), [None, None])
    machine.cut({"7g.80gb": 1})
    equal(machine.layouts(), [{0: "7g.80gb"}, None])


def a_driver_that_dies_is_an_error_that_names_the_call(build):
    machine = Changed(build, "h100-80gb")
    machine.cut({"7g.80gb": 1})
    machine.inject("kill", "--function", "nvmlGpuInstanceDestroy", "--when", "after")
    code, printed, said = machine.run("import", machine.config(HALVES), "--apply")
    equal(code, 4, printed + said)
    says(printed, "nvmlGpuInstanceDestroy")
    equal(machine.layout(), {0: "7g.80gb"})


# ------------------------------------------------------------------------------------------------------ the journal


def a_journal_cut_short_is_gone_on_from(build):
    """What a power failure leaves is continued, or gone back from. Every byte: journal_test.cc."""
    with killed_half_way(build, HALVES, SEVEN, 5) as machine:
        machine.carve("apply", "--last")
        path = machine.state / "journal" / "000002"
        whole = path.read_bytes().rstrip(b"\0")
        (machine.state / "journal" / "000003").unlink()
        first = whole.index(b"\n") + 1
        second = whole.index(b"\n", first) + 1
        for size in {*range(0, len(whole), 37), first - 1, first, first + 1, len(whole) - 1}:
            path.write_bytes(whole[:size])
            journals = machine.journals()
            equal(len(journals), 2 if size >= first else 1, f"{size} bytes")
            if size >= first:
                equal(journals[1]["before"][0]["instances"][0]["profile"], "3g.40gb")
                equal(len(journals[1]["steps"]), whole[:size].count(b"\n") - 1)
        path.write_bytes(whole[: second + 10])
        machine.carve("rollback")
        equal(machine.layout(), TWO)
        equal([one["number"] for one in machine.journals()], [1, 2, 3])
        # Also where not even its opening was written: it was never acted on, and the one before it counts.
        (machine.state / "journal" / "000003").write_bytes(b"")
        path.write_bytes(whole[: first - 1])
        says(machine.carve("apply", "--last"), "nothing to do")
        equal(machine.layout(), TWO)
        equal(machine.journals()[-1]["number"], 4)


def a_damaged_byte_is_an_error(build):
    machine = Changed(build, "h100-80gb")
    machine.cut(HALVES)
    machine.cut(SEVEN)
    path = machine.state / "journal" / "000002"
    whole = path.read_bytes()
    last = whole.rindex(b"\n", 0, -1) + 1
    for at in range(0, last, 23):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x21]) + whole[at + 1 :])
        for words in (("rollback",), ("apply", "--last"), ("journal",)):
            says(machine.carve(*words, expect=2), str(path), "damaged", "line ", "move the journal away")
            if at > 100:
                break  # one of the commands is enough
    equal(machine.layout(), SMALL)
    path.unlink()
    machine.carve("rollback")
    equal(machine.layout(), None)


def records(text):
    return b"".join(b"%08x %s\n" % (zlib.crc32(line), line) for line in text)


def journals_of_a_newer_carve_and_of_nobody(build):
    machine = Changed(build, "h100-80gb")
    machine.cut(HALVES)
    path = machine.state / "journal" / "000001"
    whole = path.read_bytes()
    lines = [line[9:] for line in whole.split(b"\n") if line]
    newer = [lines[0].replace(b"carve-journal/1", b"carve-journal/2"), *lines[1:]]
    path.write_bytes(records(newer))
    for words in (("rollback",), ("apply", "--last"), ("journal",), ("import", machine.config(SEVEN), "--apply")):
        says(machine.carve(*words, expect=2), str(path), "a newer carve (carve-journal/2)", "carve-journal/1")
    for bad in (
        [b"{}"],
        [b'{"record":"open","format":"diary/1"}'],
        lines[1:],
        [lines[0], lines[0]],
        [*lines, lines[1]],
        [lines[0], b'{"record":"step"}', *lines[1:]],
        [lines[0], b'{"record":"close"}', lines[1]],
        [lines[0], b'{"record":"step","card":"x","act":"fly","state":"begun"}', lines[1]],
        [b"[" * 5000, lines[0]],
        [lines[0].replace(b'"mig":true', b'"mig":7'), *lines[1:]],
    ):
        path.write_bytes(records(bad))
        says(machine.carve("journal", expect=2), str(path), "damaged: line ")
    equal(machine.layout(), TWO)
    # A key more is what a later carve of the same format may write.
    path.write_bytes(records([line[:-1] + b',"more":[1]}' for line in lines]))
    machine.carve("rollback")
    equal(machine.layout(), None)


def fifty_are_kept(build):
    machine = Changed(build, "h100-80gb")
    for _ in range(27):
        machine.cut({"7g.80gb": 1})
        machine.carve("rollback")
    numbers = [one["number"] for one in machine.journals()]
    equal(numbers, list(range(5, 55)))
    # Changes that change nothing drive out each other, and not what a rollback undoes.
    machine.cut({"3g.40gb": 2})
    for _ in range(55):
        machine.cut({"3g.40gb": 2})
    equal(len(machine.journals()), 50)
    equal([len(one["steps"]) > 0 for one in machine.journals()], [True] * 48 + [False] * 2)
    machine.carve("rollback")
    equal(machine.layout(), None if machine.journals()[-1]["target"][0]["mig"] is False else {0: "7g.80gb"})


def the_list_of_what_carve_made_is_checked(build):
    machine = Changed(build, "a100-80gb")
    machine.cut({"3g.40gb": 2})
    says((machine.state / "made.json").read_text(), "carve-made/1", "3g.40gb")
    for text in ("{", "{}", '{"format": "carve-made/1"}', '{"format": "other"}'):
        (machine.state / "made.json").write_text(text)
        says(machine.carve("import", machine.config(SEVEN), "--apply", expect=2), "made.json")
    (machine.state / "made.json").unlink()
    said = machine.carve("import", machine.config({"7g.80gb": 1}), "--apply", expect=3)
    says(said, "was not made by carve")


# ------------------------------------------------------------------------------------------------------- full disks


@contextlib.contextmanager
def small_disk(folder, kib):
    """A file system of this size at `folder`. Nothing where mounting is refused."""
    library = ctypes.CDLL(None, use_errno=True)
    folder.mkdir(parents=True, exist_ok=True)
    if library.mount(b"carve", os.fsencode(folder), b"tmpfs", 0, b"size=%dk" % kib) != 0:
        print(f"skipped: no small disk can be mounted here: {os.strerror(ctypes.get_errno())}")
        yield None
        return
    try:
        yield folder
    finally:
        library.umount2(os.fsencode(folder), 2)  # MNT_DETACH


def a_full_disk_is_noticed_before_anything_is_done(build):
    machine = Changed(build, "h100-80gb")
    with small_disk(machine.state, 64) as disk:
        if disk is None:
            return
        said = machine.carve("import", machine.config(HALVES), "--apply", expect=3)
        says(said, "the journal", "cannot be given room: No space left on device", "does nothing that it cannot write")
        equal(machine.layout(), None)
        equal(list((disk / "journal").iterdir()), [])
    machine.cut(HALVES)
    equal(machine.layout(), TWO)


def a_disk_that_fills_up_half_way_loses_nothing(build):
    machine = slow(build)
    with small_disk(machine.state, 1024) as disk:
        if disk is None:
            return
        with machine.start("import", machine.config(SEVEN), "--apply") as change:
            machine.wait_for_journal(1, 2)
            with contextlib.suppress(OSError), open(disk / "filler", "wb") as filler:
                while True:
                    filler.write(b"x" * 4096)
                    filler.flush()
            code, printed, said = finished(change)
        # The journal has its room; the list of what carve made does not.
        equal(machine.layout(), SMALL)
        assert code == 3, (code, printed, said)
        says(printed + said, "made.json", "No space left on device")
        says(printed + said, "the change of the cards has ended (done)", "carve apply --last")
        (disk / "filler").unlink()
        machine.carve("apply", "--last")
        equal(machine.layout(), SMALL)
        machine.carve("rollback")
        equal(machine.layout(), None)


def a_folder_that_cannot_be_written(build):
    machine = Changed(build, "h100-80gb")
    file = pathlib.Path(machine.write("file", ""))
    said = machine.carve("import", machine.config(HALVES), "--apply", "--root", str(file), expect=3)
    says(said, str(file), "cannot be made", "journal")
    equal(machine.layout(), None)
    root = pathlib.Path(machine.folder.name) / "other root"
    machine.carve("import", machine.config(HALVES), "--apply", "--root", str(root))
    assert (root / "var/lib/carve/journal/000001").exists() and not machine.state.exists()
    says(machine.carve("rollback", expect=2), "nothing was changed here yet")
    machine.carve("rollback", "--root", str(root))
    equal(machine.layout(), None)


TESTS = [
    a_signal_goes_back,
    a_signal_ends_waiting,
    killed_and_gone_on,
    killed_and_gone_back,
    killed_and_changed_otherwise,
    killed_while_the_mode_changes,
    a_driver_that_dies_is_an_error_that_names_the_call,
    a_journal_cut_short_is_gone_on_from,
    a_damaged_byte_is_an_error,
    journals_of_a_newer_carve_and_of_nobody,
    fifty_are_kept,
    the_list_of_what_carve_made_is_checked,
    a_full_disk_is_noticed_before_anything_is_done,
    a_disk_that_fills_up_half_way_loses_nothing,
    a_folder_that_cannot_be_written,
]

if __name__ == "__main__":
    sys.exit(run_tests(sys.argv[1], TESTS))
