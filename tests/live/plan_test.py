#!/usr/bin/python3
"""plan_test.py BUILD: plans for the cards that are there, and `carve cards --live`, on simulated cards."""

import copy
import json
import os
import pathlib
import socket
import sys
import tempfile

from machine import Machine, carve_without, run_tests

SMALL = "workloads: [{name: one, tenant: t, replicas: 1, memory: 4GiB, objective: throughput"
ONE = SMALL + ", compute: {slices: 1}, isolation: hard}]\n"
# Seven that need a seventh of a card each, and a wall each.
SEVEN = "workloads: [{name: one, tenant: each, replicas: 7, memory: 4GiB, objective: {p99: 50ms}}]\n"
GAP = "cards:\n  - {card: h100-pcie-80gb, count: 2, gap: 3}\n"


def live_plan(machine, text=ONE, **more):
    plan = machine.plan(text, **more)
    return plan, plan["fleet"][0]


def the_catalogs_card_keeps_its_name(build):
    machine = Machine(build, "2xh100-80gb,t4")
    plan, entry = live_plan(machine)
    assert [e["card"] for e in plan["fleet"]] == ["h100-sxm5-80gb", "t4-16gb"], plan["fleet"]
    assert "models" not in plan and "left_out" not in plan
    assert entry["node"] == socket.gethostname() == plan["cards"][0]["node"]
    status = json.loads(machine.carve("status", "--json"))
    assert [card["uuid"] for card in entry["live"]] == [card["uuid"] for card in status["cards"][:2]]
    assert plan["cards"][0]["uuid"] == entry["live"][plan["cards"][0]["index"]]["uuid"]
    assert machine.plan(ONE) == plan, "the same machine gives the same plan"


def a_board_with_another_gap_is_a_model_of_its_own(build):
    machine = Machine(build, GAP)
    plan, entry = live_plan(machine, SEVEN)
    assert entry["card"].startswith("h100-pcie-80gb-live-"), entry
    assert entry["count"] == 2 and len(plan["models"]) == 1
    starts = sorted(p["start"] for p in plan["cards"][0]["partitions"])
    assert starts == [0, 1, 2, 4, 5, 6, 7], starts
    told = {p["name"]: p["placements"] for p in json.loads(machine.carve("status", "--json"))["cards"][0]["profiles"]}
    for partition in plan["cards"][0]["partitions"]:
        assert {"start": partition["start"], "size": partition["size"]} in told[partition["profile"]], partition
    ordinary = Machine(build, "h100-pcie-80gb").plan(SEVEN)
    assert sorted(p["start"] for p in ordinary["cards"][0]["partitions"]) == [0, 1, 2, 3, 4, 5, 6]


def such_a_plan_is_read_where_there_is_no_card(build):
    machine = Machine(build, GAP)
    path = machine.write("plan.json", machine.carve("plan", machine.write("team.yaml", SEVEN), "--json"))
    checked = json.loads(carve_without(build, "check", path, "--json"))
    assert checked["valid"] and checked["violations"] == []
    with tempfile.TemporaryDirectory() as folder:
        for option, name in (("--html", "plan.html"), ("--svg", "plan.svg")):
            target = pathlib.Path(folder) / name
            carve_without(build, "check", path, option, str(target))
            assert target.stat().st_size > 1000
    plan = json.loads(pathlib.Path(path).read_text())
    plan["cards"][0]["partitions"][3]["start"] = 3
    moved = machine.write("moved.json", json.dumps(plan))
    assert "1g.10gb cannot be placed at slice 3" in carve_without(build, "check", moved, expect=1)
    assert "h100-pcie-80gb-live-" in machine.carve("why", machine.write("team.yaml", SEVEN), "one")


def figures_written_for_the_catalogs_card_hold(build):
    text = SMALL + ", compute: {h100-pcie: 10%}}]\n"
    plan, entry = live_plan(Machine(build, GAP), text)
    assert entry["card"] != "h100-pcie-80gb" and plan["summary"]["placed"] == 1, plan["unplaced"]


def every_known_model_is_itself(build):
    catalog = json.loads(carve_without(build, "cards", "--json"))["cards"]
    known = 0
    for card in catalog:
        plain = [p for p in card["profiles"] if not any(sign in p["name"] for sign in "+-")]
        figures = [card["total_memory_mib"], *(p[k] for p in plain for k in ("id", "memory_mib", "sms"))]
        if None in figures or not all(p["placements"] for p in plain):
            continue
        known += 1
        machine = Machine(build, card["id"])
        planned = json.loads(machine.carve("cards", "--live", "--json"))["cards"][0]
        assert planned["planned_as"] == card["id"], planned
    assert known >= 10, known


def held_cards_are_used_last_and_said(build):
    machine = Machine(build, "2xh100-80gb")
    machine.tell("process", machine.path, os.getpid(), 2048, 0)
    plan, entry = live_plan(machine)
    assert [card["index"] for card in entry["live"]] == [1, 0] and plan["cards"][0]["index"] == 1
    assert not [f for f in plan["findings"] if f["code"] == "card.occupied"]
    both = SEVEN.replace("replicas: 7", "replicas: 14")
    plan = machine.plan(both)
    held = [f for f in plan["findings"] if f["code"] == "card.occupied"]
    assert len(held) == 1 and f"process {os.getpid()} of " in held[0]["message"], held
    path = machine.write("plan.json", machine.carve("plan", machine.write("team.yaml", both), "--json"))
    again = json.loads(carve_without(build, "check", path, "--json"))
    assert [f for f in again["findings"] if f["code"] == "card.occupied"] == held


def who_may_not_ask_for_places_is_told(build):
    machine = Machine(build, "h100-80gb,t4")
    plan = machine.plan(SMALL + "}]\n", CARVE_SIM_PRIVILEGE="none")
    assert [card["index"] for card in plan["left_out"]] == [0], plan.get("left_out")
    assert [f["subject"].split("/")[1] for f in plan["findings"] if f["code"] == "card.left-out"] == ["0"]
    alone = Machine(build, "h100-80gb")
    said = alone.carve("plan", alone.write("team.yaml", ONE), expect=3, CARVE_SIM_PRIVILEGE="none")
    assert "names no cards to plan for" in said and "may be placed" in said and "--fleet" in said, said


def a_fleet_in_the_file_is_not_asked_for(build):
    text = "fleet: [{card: a30, count: 1}]\n" + ONE
    assert Machine(build, "h100-80gb").plan(text)["fleet"][0]["card"] == "a30-24gb"


# ------------------------------------------------------------------------------------------------- hostile files


def hostile_models_are_errors(build):
    machine = Machine(build, GAP)
    good = machine.plan(SEVEN)

    def refused(change, words):
        plan = copy.deepcopy(good)
        change(plan)
        said = carve_without(build, "check", machine.write("bad.json", json.dumps(plan)), expect=2)
        assert words in said, f"expected {words!r} in\n{said}"

    def model(**figures):
        return lambda plan: plan["models"][0].update(figures)

    def profile(**figures):
        return lambda plan: plan["models"][0]["profiles"][0].update(figures)

    refused(model(sms=100), "its id is not that of its figures")
    refused(model(id="h100-sxm5-80gb"), "its id is not that of its figures")
    refused(model(compute_slices=-1), "from 0 to 64")
    refused(model(total_memory_mib=10**10), "from 0 to")
    refused(model(memory_slices=65), "from 0 to 64")
    refused(profile(memory_mib=-5), "from 0 to")
    refused(profile(name="1g"), "its id is not that of its figures")
    refused(profile(placements=[{"start": 0, "size": 1}] * 2), "its id is not that of its figures")
    refused(profile(placements=[{"start": 0, "size": 1}] * 1000), "expected 0 to 64")
    refused(lambda plan: plan["models"].extend(plan["models"] * 999), "expected 0 to 256")
    refused(lambda plan: plan.pop("models"), "is no card of the catalog, and none of `models`")
    refused(lambda plan: plan["fleet"][0]["live"].pop(), "names each of `count` of them")
    refused(lambda plan: plan["fleet"][0]["live"][1].update(index=0), "stands in the fleet twice")
    refused(lambda plan: plan["cards"][0].update(uuid="GPU-0"), "is not the UUID that the fleet has")


# -------------------------------------------------------------------------------------------------- cards --live


def agreement_is_said(build):
    machine = Machine(build, "a30")
    text = machine.carve("cards", "--live")
    told = json.loads(machine.carve("cards", "--live", "--json"))["cards"][0]
    assert told["model"] == told["planned_as"] == "a30-24gb"
    assert told["agrees"] == ("agrees" in text), text


def differences_are_listed(build):
    machine = Machine(build, "cards:\n  - {card: h100-pcie-80gb, gap: 3, profile-ids: {1g.10gb: 119}}\n")
    card = json.loads(machine.carve("cards", "--live", "--json"))["cards"][0]
    found = {d["figure"]: (d["driver"], d["catalog"]) for d in card["differences"]}
    assert found["id of 1g.10gb"] == ("119", "19"), found
    assert found["places of 1g.10gb"][0].startswith("0:1 1:1 2:1 4:1"), found
    assert not card["agrees"] and card["planned_as"].startswith("h100-pcie-80gb-live-")
    text = machine.carve("cards", "--live")
    assert "id of 1g.10gb" in text and "a model of its own" in text, text


def another_id_is_still_the_catalogs_card(build):
    machine = Machine(build, "cards:\n  - {card: a100-40gb, profile-ids: {1g.5gb: 119}}\n")
    card = json.loads(machine.carve("cards", "--live", "--json"))["cards"][0]
    assert card["planned_as"] == "a100-40gb" and not card["agrees"], card


def nothing_to_compare(build):
    said = carve_without(build, "cards", "--live", expect=3)
    assert "/nowhere/libnvidia-ml.so.1" in said, said
    assert "no CARD can be named" in carve_without(build, "cards", "a30", "--live", expect=2)


TESTS = [
    the_catalogs_card_keeps_its_name,
    a_board_with_another_gap_is_a_model_of_its_own,
    such_a_plan_is_read_where_there_is_no_card,
    figures_written_for_the_catalogs_card_hold,
    every_known_model_is_itself,
    held_cards_are_used_last_and_said,
    who_may_not_ask_for_places_is_told,
    a_fleet_in_the_file_is_not_asked_for,
    hostile_models_are_errors,
    agreement_is_said,
    differences_are_listed,
    another_id_is_still_the_catalogs_card,
    nothing_to_compare,
]

if __name__ == "__main__":
    sys.exit(run_tests(sys.argv[1], TESTS))
