#!/usr/bin/python3
"""configurations_test.py BUILD: configurations as people really write them, each on the cards it was written for. The
names of the tests are the numbers of the collection that they were restated from; hosts, cards and layouts are ours."""

import contextlib
import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "change"))
from changing import Changed, equal, is_alive, run_tests, says  # noqa: E402

SEVEN = {start: "1g.10gb" for start in range(7)}


def file_of(machine, text):
    """A file of mig-parted with these layouts, indented as one would."""
    return machine.write("config.yaml", "version: v1\nmig-configs:\n" + text)


def made(machine, *cards):
    """What a card has in the end, as counts; the cards were empty."""
    machine.cut(*cards)
    return machine.layouts()


def u1_what_stands_already_is_not_touched(build):
    """A boot unit that toggles the mode and cuts anew each time; what it wants is 3g, 1g.20gb and two 1g."""
    machine = Changed(build, "h100-80gb")
    wanted = {"3g.40gb": 1, "1g.20gb": 1, "1g.10gb": 2}
    (layout,) = made(machine, wanted)
    equal(sorted(layout.values()), ["1g.10gb", "1g.10gb", "1g.20gb", "3g.40gb"])
    with machine.hold(machine.device(0, 4)) as holder:
        for _ in range(2):
            says(machine.cut(wanted), "nothing to do")
        assert is_alive(holder)
        equal(machine.layout(), layout)
    equal([len(one["steps"]) for one in machine.journals()[1:]], [0, 0])


def u2_seven_ones_and_a_holder(build):
    machine = Changed(build, "a100-80gb")
    machine.cut({"2g.20gb": 3})
    before = machine.layout()
    with machine.hold(machine.device(0, 2)) as holder:
        said = machine.cut({"1g.10gb": 7}, expect=3)
        says(said, f"2g.20gb@2 has to go and is held by {machine.who(holder)}", "nothing was changed")
        equal(machine.layout(), before, "no half result")
    equal(made(machine, {"1g.10gb": 7}), [SEVEN])


def u3_the_second_card_is_full_of_something_else(build):
    machine = Changed(build, "2xa100-80gb")
    machine.cut(None, {"1g.10gb": 7})
    three = {0: "2g.20gb", 2: "2g.20gb", 4: "2g.20gb"}
    equal(made(machine, {"2g.20gb": 3}, {"2g.20gb": 3}), [three, three])
    for card in machine.cards():
        for instance in card["instances"]:
            equal(len(instance["compute_instances"]), 1, "no GPU instance without a compute instance")


def u4_a_mode_that_waits_for_a_reboot(build):
    machine = Changed(build, "cards:\n  - {card: a100-80gb, mode-change: ignores-reset}\n")
    code, printed, _ = machine.run("import", machine.config({"3g.40gb": 2}), "--apply")
    equal(code, 5, "not success, and not failure")
    says(printed, "reboot the machine", "carve apply --last")
    equal([step for step in machine.journals()[0]["steps"] if step["act"] == "create"], [])
    machine.sim("reboot")
    machine.carve("apply", "--last")
    equal(machine.layout(), {0: "3g.40gb", 4: "3g.40gb"})


def u5_a_card_named_twice(build):
    machine = Changed(build, "a100-80gb")
    entry = "{devices: [0, 0], mig-enabled: true, mig-devices: {2g.20gb: 3, 1g.10gb: 1}}"
    said = machine.carve("import", file_of(machine, f"  a:\n    - {entry}\n"), expect=2)
    says(said, "card 0 stands there twice", "config.yaml:4:21")
    equal(made(machine, {"1g.10gb": 1, "2g.20gb": 3}), [{0: "2g.20gb", 2: "2g.20gb", 4: "2g.20gb", 6: "1g.10gb"}])


def u6_a_display_card_between_the_others(build):
    """Cards are known by what they can do, not by a range of indices; who holds one is named."""
    machine = Changed(build, "3xa100-80gb,t4,a100-80gb")
    everywhere = file_of(machine, "  a:\n    - {devices: all, mig-enabled: true, mig-devices: {7g.80gb: 1}}\n")
    says(machine.carve("import", everywhere, expect=2), "card 3 (Tesla T4) has no MIG", "device-filter")
    device = machine.cards()[0]["pci_device_id"]
    entry = f'{{devices: all, device-filter: "0x{device:08X}", mig-enabled: true, mig-devices: {{7g.80gb: 1}}}}'
    filtered = file_of(machine, f"  a:\n    - {entry}\n")
    machine.inject("block", "nvsm", "4")
    code, printed, _ = machine.run("import", filtered, "--apply")
    equal(code, 4, printed)
    says(printed, "card 4", "has the card open", "monitors")
    machine.inject("unblock", "nvsm")
    machine.carve("import", filtered, "--apply")
    whole = {0: "7g.80gb"}
    equal([machine.layout(index) for index in (0, 1, 2, 4)], [whole] * 4)


def u9_names_of_the_other_card_and_a_label_that_matches_nothing(build):
    machine = Changed(build, "h100-pcie-80gb,h100-nvl-94gb")
    entry = "mig-enabled: true, mig-devices: {3g.47gb: 1, 2g.24gb: 1, 1g.12gb: 1}"
    text = f"  pair-a:\n    - {{devices: [0], {entry}}}\n    - {{devices: [1], mig-enabled: false}}\n"
    text += "  all-enabled: [{devices: all, mig-enabled: true, mig-devices: {}}]\n"
    text += "  all-disabled: [{devices: all, mig-enabled: false}]\n"
    path = file_of(machine, text)
    says(machine.carve("import", path, "--config", "all-enable", expect=2), "did you mean `all-enabled`?")
    said = machine.carve("import", path, "--config", "pair-a", "--apply", expect=2)
    says(said, "card 0", "has no profile 1g.12gb, 2g.24gb, 3g.47gb", "called 1g.10gb, 2g.20gb, 3g.40gb")
    equal(machine.layouts(), [None, None])
    swapped = file_of(machine, text.replace("[0]", "[2]").replace("[1]", "[0]").replace("[2]", "[1]"))
    machine.carve("import", swapped, "--config", "pair-a", "--apply")
    off, cut = machine.layouts()
    equal((off, sorted(cut.values())), (None, ["1g.12gb", "2g.24gb", "3g.47gb"]))


def u10_five_ones_leave_room_for_the_two(build):
    machine = Changed(build, "h100-80gb")
    (layout,) = made(machine, {"1g.10gb": 5, "2g.20gb": 1})
    (start,) = [start for start, profile in layout.items() if profile == "2g.20gb"]
    assert start in (0, 2, 4) and len(layout) == 6, layout
    # Also from five that stand where there would be no place: one of them moves.
    machine = Changed(build, "h100-80gb")
    machine.cut({"1g.10gb": 7})
    equal(sorted(made(machine, {"1g.10gb": 5, "2g.20gb": 1})[0].values()), ["1g.10gb"] * 5 + ["2g.20gb"])


def u11_one_card_of_five_is_described(build):
    machine = Changed(build, "5xa100-80gb")
    machine.cut({"7g.80gb": 1}, {"1g.10gb": 7}, None, None, None)
    before = machine.layouts()
    for counts in ({"4g.40gb": 1, "2g.20gb": 1, "1g.10gb": 1}, {"3g.40gb": 1, "2g.20gb": 1, "1g.10gb": 1}):
        path = machine.config(..., ..., ..., ..., counts)
        says(machine.carve("import", path, expect=1), "not described, and left alone: card 0, 1, 2, 3", "1 of 1 card")
        machine.carve("import", path, "--apply")
        equal(machine.layouts()[:4], before[:4])
        equal(sorted(machine.layout(4).values()), sorted(counts))
        says(machine.carve("import", path), "1 card as wanted", "not described, and left alone: card 0, 1, 2, 3")


def u12_one_spec_on_four_cards(build):
    machine = Changed(build, "4xa100-40gb")
    text = '  a:\n    - {devices: all, mig-enabled: true, mig-devices: {"1g.5gb": 2, "2g.10gb": 1, "3g.20gb": 1}}\n'
    machine.carve("import", file_of(machine, text), "--apply")
    equal(machine.layouts(), [{0: "2g.10gb", 2: "1g.5gb", 3: "1g.5gb", 4: "3g.20gb"}] * 4)
    pairs = "  a:\n    - devices: all\n      mig-enabled: true\n      mig-devices:\n        1g.5gb=2\n"
    says(machine.carve("import", file_of(machine, pairs), expect=2), "config.yaml:7:9", "expected a mapping")


def u13_names_of_80_gb_on_a_card_of_40(build):
    machine = Changed(build, "a100-40gb")
    for name, here in (("2g.20gb", "2g.10gb"), ("3g.40gb", "3g.20gb"), ("4g.40gb", "4g.20gb")):
        said = machine.cut({name: 1}, expect=2)
        says(said, f"has no profile {name}", f"the same share is called {here}")
    # This one exists on both, and is what it says: not to be mended to 1g.5gb.
    equal(made(machine, {"1g.10gb": 4}), [{0: "1g.10gb", 2: "1g.10gb", 4: "1g.10gb", 6: "1g.10gb"}])


def u14_a_balance_that_cannot_be(build):
    machine = Changed(build, "4xa100-40gb")
    said = machine.cut({"3g.20gb": 2, "1g.5gb": 1}, expect=2)
    says(said, "1g.5gb and 2 of 3g.20gb", "they need 9 of 8 memory slices")
    says(said, "it can be cut into 2 of 3g.20gb, or 1g.5gb and 2g.10gb and 3g.20gb")
    sevens = {start: "1g.5gb" for start in range(7)}
    custom = made(machine, {"3g.20gb": 1, "2g.10gb": 1}, *[{"1g.5gb": 7}] * 3)
    equal(sorted(custom[0].values()), ["2g.10gb", "3g.20gb"])
    equal(custom[1:], [sevens] * 3)


def u15_a_layout_that_is_indented_too_far(build):
    machine = Changed(build, "a100-80gb")
    one = "  first:\n    - devices: [0]\n      mig-enabled: true\n      mig-devices: {1g.10gb: 7}\n"
    said = machine.carve("import", file_of(machine, one + "    second:\n      - devices: [0]\n"), expect=2)
    says(said, "config.yaml:7", "indentation")
    said = machine.carve("import", file_of(machine, one + "      second:\n        - devices: [0]\n"), expect=2)
    says(said, "config.yaml:7", "unknown key `second` in an entry of a layout")
    equal(machine.layout(), None)


def u16_everything_in_one_file(build):
    """Four things that each would be wrong alone; each is said, and what never did anything is called so."""
    machine = Changed(build, "2xa100-80gb")
    text = '  custom:\n    - devices: ["0", "1"]\n      mig-enabled: true\n'
    text += "      mig-devices:\n        - {profile: 1g.10gb, count: 2}\n"
    text += "sharing:\n  mps:\n    resources: [{name: nvidia.com/mig-1g.10gb, replicas: 1}]\n"
    said = machine.carve("import", file_of(machine, text), expect=2)
    says(said, '`devices`: "0" is text, not a number', '`devices`: "1" is text', "config.yaml:4:17", "4 errors")
    says(said, "`mig-devices` is a list, expected a mapping", "config.yaml:7")
    says(said, "unknown key `sharing`", "config.yaml:8:1", "Kubernetes device plugin", "never did anything")
    equal(machine.layouts(), [None, None])


def u17_four_and_three(build):
    machine = Changed(build, "h100-80gb")
    layout = {0: "1g.10gb", 1: "1g.10gb", 2: "1g.10gb", 3: "1g.10gb", 4: "3g.40gb"}
    equal(made(machine, {"1g.10gb": 4, "3g.40gb": 1}), [layout])


def u18_eight_cards_cut_differently(build):
    machine = Changed(build, "8xa100-80gb")
    layouts = made(machine, {"2g.20gb": 3, "1g.10gb": 1}, {"4g.40gb": 1, "3g.40gb": 1}, *[None] * 6)
    equal(layouts[0], {0: "2g.20gb", 2: "2g.20gb", 4: "2g.20gb", 6: "1g.10gb"})
    equal(layouts[1], {0: "4g.40gb", 4: "3g.40gb"})
    equal(layouts[2:], [None] * 6)


def u20_three_layouts_that_are_one(build):
    """Named after sizes of virtual machines with 1, 2 and 4 cards: the count comes from the machine."""
    for cards in (1, 2, 4):
        machine = Changed(build, f"{cards}xh100-80gb")
        entries = "[{devices: all, mig-enabled: true, mig-devices: {1g.10gb: 7}}]"
        path = file_of(machine, "".join(f"  size-{count}: {entries}\n" for count in (1, 2, 4)))
        machine.carve("import", path, "--config", "size-4", "--apply")
        equal(machine.layouts(), [SEVEN] * cards)
        for name in ("size-1", "size-2"):
            says(machine.carve("import", path, "--config", name), "nothing to do")


def u35_slices_instead_of_shards(build):
    """Two cards that were shared by percent, which limits nothing: each can be four walls."""
    machine = Changed(build, "2xrtx-pro-6000")
    profiles = {one["name"]: one["max_instances"] for one in machine.cards()[0]["profiles"]}
    equal(profiles["1g.24gb"], 4)
    quarters = {"1g.24gb": 4}
    equal([sorted(layout.values()) for layout in made(machine, quarters, quarters)], [["1g.24gb"] * 4] * 2)


def u42_two_cards_in_three_waves(build):
    """One card is cut again while the other works; what works is not disturbed, and is waited for where it must go."""
    machine = Changed(build, "2xa100-40gb")
    first = {"3g.20gb": 1, "2g.10gb": 2}
    small = {"1g.10gb": 4}
    mixed = {"2g.10gb": 2, "1g.5gb": 3}
    layouts = made(machine, first, small)
    equal(layouts, [{0: "2g.10gb", 2: "2g.10gb", 4: "3g.20gb"}, {start: "1g.10gb" for start in (0, 2, 4, 6)}])
    with contextlib.ExitStack() as stack:
        jobs = [stack.enter_context(machine.hold(machine.device(0, start))) for start in layouts[0]]
        machine.cut(first, mixed)  # the first wave goes on
        equal(sorted(machine.layout(1).values()), ["1g.5gb"] * 3 + ["2g.10gb"] * 2)
        assert all(is_alive(job) for job in jobs)
        says(machine.cut(small, mixed, expect=3), "card 0", "has to go and is held by", "nothing was changed")
        with machine.start("import", machine.config(small, mixed), "--apply", "--drain", "wait", "--json") as change:
            while json.loads(change.stdout.readline())["event"] != "waiting":
                pass
            for job in jobs:
                job.terminate()
            equal(change.wait(timeout=60), 0)
    quarters = {start: "1g.10gb" for start in (0, 2, 4, 6)}
    equal(machine.layout(0), quarters)
    equal(made(machine, small, small), [quarters, quarters])


def cards_are_known_by_their_uuids(build):
    """However a file names them: what is written down are UUIDs, and a card is found again wherever it is."""
    machine = Changed(build, "2xa100-80gb")
    machine.cut(..., {"3g.40gb": 2})
    (journal,) = machine.journals()
    equal([card["uuid"] for card in journal["target"]], [machine.cards()[1]["uuid"]])


TESTS = [
    u1_what_stands_already_is_not_touched,
    u2_seven_ones_and_a_holder,
    u3_the_second_card_is_full_of_something_else,
    u4_a_mode_that_waits_for_a_reboot,
    u5_a_card_named_twice,
    u6_a_display_card_between_the_others,
    u9_names_of_the_other_card_and_a_label_that_matches_nothing,
    u10_five_ones_leave_room_for_the_two,
    u11_one_card_of_five_is_described,
    u12_one_spec_on_four_cards,
    u13_names_of_80_gb_on_a_card_of_40,
    u14_a_balance_that_cannot_be,
    u15_a_layout_that_is_indented_too_far,
    u16_everything_in_one_file,
    u17_four_and_three,
    u18_eight_cards_cut_differently,
    u20_three_layouts_that_are_one,
    u35_slices_instead_of_shards,
    u42_two_cards_in_three_waves,
    cards_are_known_by_their_uuids,
]

if __name__ == "__main__":
    sys.exit(run_tests(sys.argv[1], TESTS))
