#!/usr/bin/python3
"""import_test.py BUILD: `carve import` and `carve export` on simulated cards: what a mig-parted file means, whatever
the order of its keys, what of it is refused, and that what was exported is imported again."""

import itertools
import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "change"))
from changing import Changed, equal, run_tests, says  # noqa: E402

EIGHT = "8xa100-80gb"
# Cards of one host that are cut in five ways.
LAB = [
    ([0], None),
    ([1], {"7g.80gb": 1}),
    ([2], {"2g.20gb": 3}),
    ([3, 4, 5, 6], {"3g.40gb": 1, "4g.40gb": 1}),
    ([7], {"1g.10gb": 1, "2g.20gb": 1, "4g.40gb": 1}),
]
BOTH = {0: "4g.40gb", 4: "3g.40gb"}
LAB_LAYOUTS = [
    None,
    {0: "7g.80gb"},
    {0: "2g.20gb", 2: "2g.20gb", 4: "2g.20gb"},
    BOTH,
    BOTH,
    BOTH,
    BOTH,
    {0: "4g.40gb", 4: "2g.20gb", 6: "1g.10gb"},
]


def written(entries, permute=lambda keys: keys):
    """The text of a file with one layout; `permute` orders the keys of every mapping."""

    def mapping(pairs):
        return "{" + ", ".join(f"{key}: {value}" for key, value in permute(list(pairs))) + "}"

    lines = []
    for devices, counts in entries:
        pairs = [("devices", devices), ("mig-enabled", str(counts is not None).lower())]
        if counts is not None:
            pairs.append(("mig-devices", mapping((f'"{name}"', count) for name, count in counts.items())))
        lines.append(f"    - {mapping(pairs)}\n")
    return "version: v1\nmig-configs:\n  lab-eight:\n" + "".join(lines)


def steps_wanted(machine, path, *words):
    """{card: {start: profile}} that a diff makes, on cards that are empty."""
    change = json.loads(machine.carve("import", path, "--json", *words, expect=1))
    assert change["possible"], change
    return {
        card["index"]: {
            step["instance"]["start"]: step["instance"]["profile"]
            for step in card["steps"]
            if step["act"] == "create"
        }
        for card in change["cards"]
    }


def mixed_geometries_are_cut(build):  # case O1
    machine = Changed(build, EIGHT)
    path = machine.write("lab.yaml", written(LAB))
    said = machine.carve("import", path, "--apply", "--config", "lab-eight")
    says(said, "done, and read back")
    equal(machine.layouts(), LAB_LAYOUTS)
    says(machine.carve("import", path), "nothing to do: 8 cards as wanted")


def the_order_of_keys_and_entries_means_nothing(build):  # case O1
    machine = Changed(build, EIGHT)
    expected = {index: layout or {} for index, layout in enumerate(LAB_LAYOUTS)}

    def nth_permutation(number):
        def permute(keys):
            orders = list(itertools.permutations(keys))
            return list(orders[number % len(orders)])

        return permute

    # Six orders of each mapping of three keys, among them all of their instances, and the entries either way round.
    for number in range(6):
        for entries in (LAB, LAB[::-1]):
            path = machine.write("lab.yaml", written(entries, nth_permutation(number)))
            equal(steps_wanted(machine, path), expected, f"order {number}")
    # And they are really made so: the reverse of the file above.
    path = machine.write("lab.yaml", written(LAB[::-1], nth_permutation(5)))
    machine.carve("import", path, "--apply")
    equal(machine.layouts(), LAB_LAYOUTS)


def what_cannot_stand_is_refused_before_any_change(build):  # case O1
    machine = Changed(build, "2xa100-80gb")
    refusals = [
        ({"4g.40gb": 2}, "2 of 4g.40gb", "at most 1"),
        ({"3g.40gb": 2, "1g.10gb": 1}, "they need 9 of 8 memory slices"),
        ({"1g.10gb": 8}, "8 of 1g.10gb", "at most 7"),
        ({"3g.20gb": 1}, "no profile 3g.20gb", "the same share is called 3g.40gb"),
    ]
    for counts, *words in refusals:
        path = machine.config({"7g.80gb": 1}, counts)
        says(machine.carve("import", path, "--apply", expect=2), "card 1", "nothing was changed", *words)
        shown = machine.carve("import", path, expect=1)
        says(shown, "cannot:", *words)
        equal(machine.layouts(), [None, None], "the other card was not touched either")
        assert not machine.state.exists() or not machine.journals(), "nothing was done, and nothing is in the journal"


def later_entries_overrule_earlier_ones(build):
    machine = Changed(build, "3xa100-80gb")
    path = machine.write(
        "config.yaml",
        "version: v1\nmig-configs:\n  a:\n"
        "    - {devices: all, mig-enabled: true, mig-devices: {1g.10gb: 7}}\n"
        "    - {devices: [1], mig-enabled: false}\n",
    )
    machine.carve("import", path, "--apply")
    sevens = {start: "1g.10gb" for start in range(7)}
    equal(machine.layouts(), [sevens, None, sevens])


def cards_that_no_entry_means_are_left_alone(build):
    machine = Changed(build, "a100-80gb,h100-80gb,t4")
    machine.cut({"3g.40gb": 1})
    device = machine.cards()[1]["pci_device_id"]
    path = machine.write(
        "config.yaml",
        "version: v1\nmig-configs:\n  a:\n"
        f"    - {{devices: all, device-filter: '0x{device:08X}', mig-enabled: true, mig-devices: {{7g.80gb: 1}}}}\n",
    )
    machine.carve("import", path, "--apply")
    equal([machine.layout(0), machine.layout(1)], [{4: "3g.40gb"}, {0: "7g.80gb"}])


def what_is_exported_is_imported(build):
    machine = Changed(build, "2xa100-80gb,h100-80gb,a30")
    cuts = [{"1g.10gb": 2, "2g.20gb": 1, "3g.40gb": 1}, None, {"1g.10gb+me": 1, "1g.20gb": 3}, {"2g.12gb": 2}]
    machine.cut(*cuts)
    before = machine.layouts()
    exported = machine.write("exported.yaml", machine.carve("export"))
    says(machine.carve("import", exported), "nothing to do: 4 cards as wanted")
    machine.cut({"7g.80gb": 1}, {"7g.80gb": 1}, None, None)
    assert machine.layouts() != before
    says(machine.carve("import", exported, expect=1), "4 of 4 cards")
    machine.carve("import", exported, "--config", "current", "--apply")
    equal([sorted((one or {}).values()) for one in machine.layouts()], [sorted((one or {}).values()) for one in before])
    equal(machine.carve("export", "--label", "now"), machine.carve("export").replace('"current"', '"now"'))
    for label in ("with space", 'quo"te: {', "'", "ünï\\code", "- x", "# y"):
        named = machine.write("named.yaml", machine.carve("export", "--label", label))
        says(machine.carve("import", named, "--config", label), "nothing to do")


def layouts_are_named(build):
    machine = Changed(build, "a100-80gb,t4")
    path = machine.write(
        "config.yaml",
        "version: v1\nmig-configs:\n"
        "  all-enabled: [{devices: [0], mig-enabled: true, mig-devices: {}}]\n"
        "  all-disabled: [{devices: all, mig-enabled: false}]\n",
    )
    says(machine.carve("import", path, expect=2), "2 layouts", "--config names one", "all-enabled, all-disabled")
    says(machine.carve("import", path, "--config", "all-enable", expect=2), "did you mean `all-enabled`?")
    says(machine.carve("import", path, "--config", "all-disabled"), "nothing to do: 2 cards as wanted")
    says(machine.carve("import", machine.path + "/none.yaml", expect=2), "none.yaml")


def cards_without_mig_and_indices_without_cards(build):
    machine = Changed(build, "a100-80gb,t4")
    said = machine.carve("import", machine.config(..., {"1g.10gb": 1}), expect=2)
    says(said, "card 1 (Tesla T4) has no MIG", "device-filter")
    said = machine.carve("import", machine.config(None, None, {"1g.10gb": 1}), expect=2)
    says(said, "there is no card 2", "this machine has 2 cards")
    equal(machine.layout(), None)


def a_change_of_one_card_only(build):
    """What an import does is undone as any change."""
    machine = Changed(build, "2xa100-80gb")
    machine.cut(..., {"3g.40gb": 2})
    equal(machine.layouts(), [None, {0: "3g.40gb", 4: "3g.40gb"}])
    machine.carve("rollback")
    equal(machine.layouts(), [None, None])
    equal([one["command"] for one in machine.journals()], ["import", "rollback"])


TESTS = [
    mixed_geometries_are_cut,
    the_order_of_keys_and_entries_means_nothing,
    what_cannot_stand_is_refused_before_any_change,
    later_entries_overrule_earlier_ones,
    cards_that_no_entry_means_are_left_alone,
    what_is_exported_is_imported,
    layouts_are_named,
    cards_without_mig_and_indices_without_cards,
    a_change_of_one_card_only,
]

if __name__ == "__main__":
    sys.exit(run_tests(sys.argv[1], TESTS))
