#!/usr/bin/python3
"""smi_test.py BUILD: nvidia-smi on simulated cards, as a person types it and as programs read it."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile


class Machine:
    def __init__(self, build, cards):
        self.build = pathlib.Path(build)
        self.folder = tempfile.TemporaryDirectory()
        self.path = self.folder.name + "/machine"
        self.tell("create", self.path, cards)

    def tell(self, *words):
        subprocess.run([self.build / "tests" / "simgpu_machine", *words], check=True)

    def smi(self, *words, expect=0, **environment):
        """What nvidia-smi prints."""
        settings = {"CARVE_SIM_DIR": self.path, "LD_LIBRARY_PATH": str(self.build / "simgpu" / "580"), **environment}
        done = subprocess.run(
            [self.build / "simgpu" / "bin" / "nvidia-smi", *words],
            env=settings,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60,
            text=True,
        )
        assert done.returncode == expect, f"{words}: exit code {done.returncode}\n{done.stdout}"
        return done.stdout


def rows(table):
    """The cells of a table's lines that begin with the number of a GPU, split at white space."""
    return [line.strip("| ").split() for line in table.splitlines() if re.match(r"\|\s+\d", line)]


def straight(table):
    widths = {len(line) for line in table.splitlines() if line[:1] in "|+"}
    assert len(widths) == 1, f"lines of {widths} columns:\n{table}"
    return table


def lists_devices(build):
    machine = Machine(build, "h100-80gb,a30")
    lines = machine.smi("-L").splitlines()
    assert len(lines) == 2 and lines[0].startswith("GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-"), lines
    machine.smi("-mig", "1", "-i", "0")
    machine.smi("mig", "-cgi", "9,19", "-C", "-i", "0")
    lines = machine.smi("-L", "-i", "0").splitlines()
    assert re.fullmatch(r"  MIG 3g\.40gb +Device  0: \(UUID: MIG-[0-9a-f-]{36}\)", lines[1]), lines
    assert re.fullmatch(r"  MIG 1g\.10gb +Device  1: \(UUID: MIG-[0-9a-f-]{36}\)", lines[2]), lines


def lists_what_mig_has(build):
    machine = Machine(build, "a100-40gb")
    assert "No MIG-enabled devices found" in machine.smi("mig", "-lgip", expect=6)
    assert "pending enable state" in machine.smi("-mig", "1")
    assert "successfully reset" in machine.smi("--gpu-reset", "-i", "0")
    assert "No GPU instances found" in machine.smi("mig", "-lgi", expect=6)
    machine.smi("mig", "-cgi", "19,14,5")
    instances = rows(straight(machine.smi("mig", "-lgi")))
    assert ["0", "MIG", "1g.5gb", "19", "13", "6:1"] in instances, instances
    assert ["0", "MIG", "2g.10gb", "14", "5", "4:2"] in instances, instances
    assert ["0", "MIG", "4g.20gb", "5", "1", "0:4"] in instances, instances
    profiles = rows(straight(machine.smi("mig", "-lgip")))
    assert ["0", "MIG", "1g.5gb", "19", "0/7", "4.75", "No", "14", "0", "0"] in profiles, profiles
    assert "GPU  0 Profile ID 15 Placements: {0,2,4,6}:2" in machine.smi("mig", "-lgipp")
    machine.smi("mig", "-cci", "0,1", "-gi", "1")
    computes = rows(straight(machine.smi("mig", "-lci")))
    assert ["0", "1", "MIG", "1c.4g.20gb", "0", "0", "0:1"] in computes, computes
    assert ["0", "1", "MIG", "2c.4g.20gb", "1", "1", "2:2"] in computes, computes
    assert "In use" in machine.smi("mig", "-dgi", "-gi", "1", expect=255)
    machine.smi("mig", "-dci")
    assert machine.smi("mig", "-dgi").count("Successfully destroyed") == 3


def cuts_where_it_is_told(build):
    machine = Machine(build, "h100-80gb")
    machine.smi("-mig", "1")
    machine.smi("mig", "-cgi", "9:4,19:3,19", "-C")
    instances = rows(straight(machine.smi("mig", "-lgi")))
    places = sorted(row[-1] for row in instances if row[:2] == ["0", "MIG"])
    assert "4:4" in places and "3:1" in places and len(places) == 3, instances
    assert "Insufficient Resources" in machine.smi("mig", "-cgi", "9:4", expect=255)
    machine.smi("mig", "-cgi", "9:", expect=2)
    machine.smi("mig", "-cgi", "9:x", expect=2)


def says_what_went_wrong(build):
    machine = Machine(build, "h100-80gb")
    machine.smi("-mig", "1")
    text = machine.smi("mig", "-cgi", "0,19", expect=255)
    assert "Successfully created GPU instance ID  0" in text and "Insufficient Resources" in text, text
    assert "Invalid Argument" in machine.smi("mig", "-cgi", "77", expect=2)
    assert "Insufficient Permissions" in machine.smi("mig", "-cgi", "19", expect=4, CARVE_SIM_PRIVILEGE="none")
    assert "couldn't find" in machine.smi("-L", expect=12, LD_LIBRARY_PATH="/nonexistent")
    assert "Driver Not Loaded" in machine.smi("-L", expect=9, CARVE_SIM_DIR="/nonexistent")
    machine.smi("-q", expect=2)


def queries_processes(build):
    machine = Machine(build, "2xh100-80gb")
    machine.tell("process", machine.path, str(os.getpid()), "1000", "1")
    text = machine.smi("--query-compute-apps=pid,used_memory", "--format=csv")
    assert text == f"pid, used_gpu_memory [MiB]\n{os.getpid()}, 1000 MiB\n", text
    text = machine.smi("--query-compute-apps=pid,used_memory", "--format=csv,noheader,nounits", "-i", "1")
    assert text == f"{os.getpid()}, 1000\n", text
    assert machine.smi("--query-compute-apps=pid", "--format=csv,noheader", "-i", "0") == ""
    machine.smi("--query-compute-apps=colour", "--format=csv", expect=2)


def resets_who_is_free(build):
    machine = Machine(build, "2xh100-80gb")
    machine.tell("process", machine.path, str(os.getpid()), "1000", "1")
    machine.smi("--gpu-reset", "-i", "0")
    assert "In use by another client" in machine.smi("--gpu-reset", "-i", "1", expect=255)
    machine.smi("--gpu-reset", "-i", "0", expect=4, CARVE_SIM_PRIVILEGE="mig-config")
    text = "cards: [{card: h100-80gb, count: 2, nvswitch: 1}]\n"
    file = pathlib.Path(machine.folder.name) / "tied.yaml"
    file.write_text(text)
    tied = Machine(build, str(file))
    assert "NVSwitch" in tied.smi("--gpu-reset", "-i", "0", expect=3)
    tied.smi("--gpu-reset", "-i", "0,1")


def keeps_time_slices(build):
    machine = Machine(build, "2xl40s-48gb")
    machine.smi("compute-policy", "--set-timeslice=3", "-i", "1")
    text = machine.smi("compute-policy", "-l")
    assert [line.split()[-1] for line in text.splitlines() if "Timeslice" in line] == ["Default", "Long"], text
    machine.smi("compute-policy", "--set-timeslice=4", expect=2)


TESTS = [
    lists_devices,
    lists_what_mig_has,
    cuts_where_it_is_told,
    says_what_went_wrong,
    queries_processes,
    resets_who_is_free,
    keeps_time_slices,
]


def main():
    failed = 0
    for test in TESTS:
        try:
            test(sys.argv[1])
        except (AssertionError, subprocess.SubprocessError, IndexError) as error:
            failed += 1
            print(f"FAILED {test.__name__}: {error}")
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
