#!/usr/bin/python3
"""foreign_test.py BUILD PROGRAM...: other people's programs on simulated cards.

BUILD is the build folder. A PROGRAM is nvidia-ml-py, nvitop or gpustat; agreement: whether nvidia-ml-py and our
nvidia-smi tell the same as `carve status`, so it stands behind nvidia-ml-py; nvml.h: NVIDIA's header as the Go module
go-nvml ships it, against which our declarations are compiled; or go-nvlib: the library on which mig-parted and the
device plugin stand, which must give every profile of every card the name that the catalog has.

Packages come from the registries that pip and go are set to. Where they cannot be had the test is skipped (exit code
77) with the reason, or fails if CARVE_LONG is set.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

PACKAGES = {"nvidia-ml-py": "nvidia-ml-py==13.580.65", "nvitop": "nvitop==1.7.2", "gpustat": "gpustat==1.1.1"}

GO_NVML = "github.com/NVIDIA/go-nvml@v0.13.4-1"
SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent

# Runs in a Python of its own. `pynvml` finds libnvidia-ml.so.1 as it would find the real one.
MIG_TOUR = """
    import ctypes, sys
    import pynvml as n
    ours = dict(line.split() for line in open(sys.argv[1]))
    for name, size in ours.items():
        kind = getattr(n, name, None)
        assert kind is None or ctypes.sizeof(kind) == int(size), (name, ctypes.sizeof(kind), size)
    found = sum(hasattr(n, name) for name in ours)
    assert found >= 16, found
    n.nvmlInit()
    assert n.nvmlSystemGetDriverVersion() == "580.65.06"
    assert n.nvmlDeviceGetCount() == 3
    card = n.nvmlDeviceGetHandleByIndex(0)
    assert n.nvmlDeviceGetName(card) == "NVIDIA H100 80GB HBM3"
    assert n.nvmlDeviceGetMigMode(card) == [0, 0]
    assert n.nvmlDeviceSetMigMode(card, 1) == 0
    assert n.nvmlDeviceGetMigMode(card) == [1, 1]
    info = n.nvmlDeviceGetGpuInstanceProfileInfo(card, n.NVML_GPU_INSTANCE_PROFILE_3_SLICE, version=2)
    assert (info.id, info.sliceCount, info.memorySizeMB) == (9, 3, 40448), info
    assert info.name in (b"MIG 3g.40gb", "MIG 3g.40gb"), info.name
    assert n.nvmlDeviceGetGpuInstanceRemainingCapacity(card, 19) == 7
    instance = n.nvmlDeviceCreateGpuInstance(card, 9)
    placed = n.nvmlGpuInstanceGetInfo(instance)
    assert (placed.id, placed.profileId, placed.placement.start, placed.placement.size) == (2, 9, 4, 4)
    compute = n.nvmlGpuInstanceCreateComputeInstance(instance, 2)
    assert n.nvmlComputeInstanceGetInfo(compute).profileId == 2
    mig = n.nvmlDeviceGetMigDeviceHandleByIndex(card, 0)
    assert n.nvmlDeviceGetUUID(mig).startswith("MIG-")
    attributes = n.nvmlDeviceGetAttributes(mig)
    assert (attributes.multiprocessorCount, attributes.memorySizeMB) == (60, 40448)
    assert n.nvmlDeviceGetMemoryInfo(mig, n.nvmlMemory_v2).total == 40448 << 20
    assert n.nvmlDeviceGetComputeRunningProcesses(mig) == []
    assert n.nvmlDeviceGetPciInfo(card).pciDeviceId == 0x233010DE
    for call, code in ((lambda: n.nvmlDeviceGetMigDeviceHandleByIndex(card, 1), n.NVML_ERROR_NOT_FOUND),
                       (lambda: n.nvmlGpuInstanceDestroy(instance), n.NVML_ERROR_IN_USE),
                       (lambda: n.nvmlDeviceCreateGpuInstance(card, 0), n.NVML_ERROR_INSUFFICIENT_RESOURCES),
                       (lambda: n.nvmlDeviceGetUtilizationRates(card), n.NVML_ERROR_NOT_SUPPORTED),
                       (lambda: n.nvmlDeviceGetTemperature(card, 0), n.NVML_ERROR_FUNCTION_NOT_FOUND)):
        try:
            call()
        except n.NVMLError as error:
            assert error.value == code, (error.value, code)
        else:
            raise AssertionError(code)
    n.nvmlComputeInstanceDestroy(compute)
    n.nvmlGpuInstanceDestroy(instance)
    n.nvmlShutdown()
"""


# What NVIDIA's own bindings tell, in the shape of seen_by_carve().
SEEN = """
    import json
    import pynvml as n
    def text(words):
        return words.decode() if isinstance(words, bytes) else words
    n.nvmlInit()
    cards = []
    for index in range(n.nvmlDeviceGetCount()):
        card = n.nvmlDeviceGetHandleByIndex(index)
        memory = n.nvmlDeviceGetMemoryInfo(card, n.nvmlMemory_v2)
        devices = []
        try:
            count = n.nvmlDeviceGetMaxMigDeviceCount(card) if n.nvmlDeviceGetMigMode(card)[0] else 0
        except n.NVMLError_NotSupported:
            count = 0
        for place in range(count):
            try:
                device = n.nvmlDeviceGetMigDeviceHandleByIndex(card, place)
            except n.NVMLError_NotFound:
                continue
            own = n.nvmlDeviceGetMemoryInfo(device, n.nvmlMemory_v2)
            devices.append([n.nvmlDeviceGetGpuInstanceId(device), n.nvmlDeviceGetComputeInstanceId(device),
                            text(n.nvmlDeviceGetUUID(device)), own.total >> 20, own.used >> 20])
        none = 0xFFFFFFFF
        processes = [[p.pid, p.usedGpuMemory >> 20, None if p.gpuInstanceId == none else p.gpuInstanceId]
                     for p in n.nvmlDeviceGetComputeRunningProcesses(card)]
        cards.append({"uuid": text(n.nvmlDeviceGetUUID(card)), "name": text(n.nvmlDeviceGetName(card)),
                      "bus": text(n.nvmlDeviceGetPciInfo(card).busId), "minor": n.nvmlDeviceGetMinorNumber(card),
                      "memory": [memory.total >> 20, memory.used >> 20], "devices": sorted(devices),
                      "processes": sorted(processes, key=str)})
    print(json.dumps({"driver": text(n.nvmlSystemGetDriverVersion()), "cards": cards}))
"""


class Machine:
    """Simulated cards in a folder, and an environment in which programs find them."""

    def __init__(self, build, cards):
        self.build = pathlib.Path(build)
        self.folder = tempfile.TemporaryDirectory()
        self.tell("create", self.path, cards)
        self.environment = {
            **os.environ,
            "CARVE_SIM_DIR": self.path,
            "LD_LIBRARY_PATH": str(self.build / "simgpu" / "580"),
            "PYTHONPATH": str(self.build / "foreign"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "TERM": "xterm",
        }

    @property
    def path(self):
        return self.folder.name + "/machine"

    def tell(self, *words):
        program = self.build / "tests" / "simgpu_machine"
        return subprocess.run([program, *words], check=True, stdout=subprocess.PIPE).stdout

    def cut(self, card, profiles):
        smi = self.build / "simgpu" / "bin" / "nvidia-smi"
        if "requires reset" in self.run(smi, "-i", str(card), "-mig", "1"):
            self.run(smi, "-i", str(card), "--gpu-reset")
        self.run(smi, "mig", "-i", str(card), "-cgi", profiles, "-C")

    def run(self, *command):
        done = subprocess.run(
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120
        )
        text = done.stdout.decode(errors="replace")
        assert done.returncode == 0, f"exit code {done.returncode}\n{text}"
        return text


def nvidia_ml_py(build):
    machine = Machine(build, "h100-80gb,a100-40gb,a30")
    structs = pathlib.Path(machine.folder.name) / "structs"
    structs.write_bytes(machine.tell("structs"))
    machine.run(sys.executable, "-c", textwrap.dedent(MIG_TOUR), str(structs))


def with_process(build):
    """A machine with a process of 1000 MiB on its second card."""
    machine = Machine(build, "2xh100-80gb")
    machine.tell("process", machine.path, str(os.getpid()), "1000", "1")
    return machine


def nvitop(build):
    text = with_process(build).run(sys.executable, "-m", "nvitop", "--once", "--ascii")
    assert "580.65.06" in text, text
    assert "1000MiB" in text, text
    assert str(os.getpid()) in text, text


def gpustat(build):
    answer = json.loads(with_process(build).run(sys.executable, "-m", "gpustat", "--json"))
    assert answer["driver_version"] == "580.65.06", answer
    assert [gpu["memory.total"] for gpu in answer["gpus"]] == [81559, 81559], answer
    assert [gpu["memory.used"] for gpu in answer["gpus"]] == [0, 1000], answer
    assert answer["gpus"][1]["processes"][0]["pid"] == os.getpid(), answer


def seen_by_carve(machine):
    status = json.loads(machine.run(machine.build / "carve", "status", "--json"))
    cards = []
    for card in status["cards"]:
        devices = [
            [
                instance["gpu_instance"],
                compute["compute_instance"],
                compute["uuid"],
                instance["memory"]["total_mib"],
                instance["memory"]["used_mib"],
            ]
            for instance in card["instances"] or []
            for compute in instance["compute_instances"]
        ]
        processes = [[who["pid"], who["memory_mib"], who["gpu_instance"]] for who in card["occupants"]]
        cards.append(
            {
                "uuid": card["uuid"],
                "name": card["name"],
                "bus": card["pci_bus_id"],
                "minor": card["minor"],
                "memory": [card["memory"]["total_mib"], card["memory"]["used_mib"]],
                "devices": sorted(devices),
                "processes": sorted(processes, key=str),
            }
        )
    return {"driver": status["driver"], "cards": cards}


def agrees_with_smi(machine, seen):
    """UUIDs, and the processes with their memory, as nvidia-smi lists them."""
    smi = machine.build / "simgpu" / "bin" / "nvidia-smi"
    listed = re.findall(r"UUID: ([A-Za-z0-9-]+)\)", machine.run(smi, "-L"))
    ours = []
    for card in seen["cards"]:
        ours += [card["uuid"], *(device[2] for device in card["devices"])]
    assert sorted(listed) == sorted(ours), (listed, ours)
    fields = "--query-compute-apps=gpu_uuid,pid,used_gpu_memory"
    lines = machine.run(smi, fields, "--format=csv,noheader,nounits").splitlines()
    apps = sorted(tuple(cell.strip() for cell in line.split(",")) for line in lines)
    ours = sorted((card["uuid"], str(who[0]), str(who[1])) for card in seen["cards"] for who in card["processes"])
    assert apps == ours, (apps, ours)


def agreement(build):
    """`carve status --json`, nvidia-ml-py and nvidia-smi tell the same of cut and whole cards under load."""
    everything = ["h100-80gb,a30,t4", "a100-40gb", "2xl4", "8xh100-80gb"]
    for cards, cuts, held in (
        (everything[0], {0: "9,19,19", 1: "14,14"}, [("0", "9000"), ("2", "700")]),
        (everything[1], {}, [("0", "1000"), ("0", "2000")]),
        (everything[2], {}, []),
        (everything[3], {card: "19,19,19,19,19,19,19" for card in range(8)}, [(str(card), "100") for card in range(8)]),
    ):
        machine = Machine(build, cards)
        for card, profiles in cuts.items():
            machine.cut(card, profiles)
        loads = [subprocess.Popen(["sleep", "600"]) for _ in held]
        try:
            instances = {card: devices[0] for card, devices in first_devices(machine).items()}
            for load, (card, mib) in zip(loads, held):
                where = [str(part) for part in instances[int(card)][:2]] if int(card) in cuts else []
                machine.tell("process", machine.path, str(load.pid), mib, card, *where)
            seen = seen_by_carve(machine)
            told = json.loads(machine.run(sys.executable, "-c", textwrap.dedent(SEEN)))
            assert seen == told, f"{cards}\nnvidia-ml-py: {told}\ncarve status: {seen}"
            assert sum(len(card["processes"]) for card in seen["cards"]) == len(held), seen
            agrees_with_smi(machine, seen)
        finally:
            for load in loads:
                load.kill()
                load.wait()


def first_devices(machine):
    cards = seen_by_carve(machine)["cards"]
    return {index: card["devices"] for index, card in enumerate(cards) if card["devices"]}


def nvml_header(_):
    check = SOURCE / "tests" / "simgpu" / "programs" / "header_check.cc"
    folder = pathlib.Path(json.loads(go_download().stdout)["Dir"]) / "pkg" / "nvml"
    done = subprocess.run(
        ["g++", "-std=c++20", "-fsyntax-only", f"-I{folder}", f"-I{SOURCE}", check],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def go_nvlib(build):
    """Builds in a copy, since go writes beside its sources."""
    source = SOURCE / "tests" / "simgpu" / "programs" / "names"
    folder = pathlib.Path(build) / "foreign" / "names"
    shutil.copytree(source, folder, dirs_exist_ok=True)
    settings = {**os.environ, "GOFLAGS": "-mod=mod -buildvcs=false"}
    done = subprocess.run(
        ["go", "build", "-o", "names", "."],
        cwd=folder,
        env=settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    cards = ["a100-40gb", "a100-80gb", "a30", "h100-80gb", "h100-pcie-80gb", "h100-nvl-94gb", "h200", "gh200-96gb"]
    machine = Machine(build, ",".join([*cards, "b200", "gb200", "rtx-pro-6000-96gb", "l4"]))
    expected = set(machine.tell("profiles", machine.path).decode().splitlines())
    found = set(machine.run(str(folder / "names")).splitlines())
    assert found == expected, f"names differ: {sorted(found ^ expected)}"


TESTS = {
    "nvidia-ml-py": nvidia_ml_py,
    "agreement": agreement,
    "nvitop": nvitop,
    "gpustat": gpustat,
    "nvml.h": nvml_header,
    "go-nvlib": go_nvlib,
}
GO_PROGRAMS = ("nvml.h", "go-nvlib")


def go_download():
    with tempfile.TemporaryDirectory() as folder:
        command = ["go", "mod", "download", "-json", GO_NVML]
        return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def missing(build, programs):
    """Why something cannot be had, or None."""
    if any(program in GO_PROGRAMS for program in programs):
        if shutil.which("go") is None:
            return "there is no go"
        done = go_download()
        if done.returncode != 0:
            return done.stdout.strip().replace("\n", " ")
    packages = [program for program in programs if program in PACKAGES]
    return install(build, packages) if packages else None


def install(build, packages):
    """Why the packages cannot be had, or None."""
    folder = pathlib.Path(build) / "foreign"
    mark = folder / ("-".join(packages).replace("==", "-") + ".installed")
    if mark.exists():
        return None
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade"]
    done = subprocess.run(
        [*pip, "--target", folder, *(PACKAGES[package] for package in packages)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode != 0:
        lines = done.stdout.decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else "pip failed"
    mark.write_text("")
    return None


def main():
    build, programs = sys.argv[1], sys.argv[2:]
    reason = missing(build, programs)
    if reason:
        print(f"skipped: {', '.join(programs)} cannot be had: {reason}")
        return 1 if os.environ.get("CARVE_LONG") else 77
    failed = 0
    for program in programs:
        try:
            TESTS[program](build)
        except (AssertionError, subprocess.SubprocessError, ValueError, KeyError) as error:
            failed += 1
            print(f"FAILED {program}: {error}")
    print(f"{len(programs) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
