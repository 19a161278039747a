#!/usr/bin/python3
"""deb_test.py SOURCE BUILD: makes the Debian package of BUILD and does with it what a person does: lintian, apt-get
install on a clean Debian 12, plan as an ordinary user, remove. Nothing may be left. Where that cannot be done (no root,
no debootstrap, no mirror) it fails and says why. Ends with "N passed, N failed"."""

import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from debian import Refused, System, made, needed, requirements, run  # noqa: E402
from verdicts import judged  # noqa: E402

EXAMPLE = "examples/team.yaml"
DOC = "/usr/share/doc/carve"


def package_of(build):
    """The package, made now."""
    for old in build.glob("carve_*.deb"):
        old.unlink()
    needed(["cmake", "--build", build, "--target", "deb"], "the package")
    (package,) = build.glob("carve_*.deb")
    return package


def about_package(package):
    """Yields (title, None or what is wrong) about the file itself."""
    code, printed, said = run(["lintian", "--allow-root", "--fail-on", "error,warning,info", "-I", package])
    yield "lintian", None if code == 0 and not printed.strip() else printed + said
    depends = needed(["dpkg-deb", "-f", package, "Depends"], "the package")
    wrong = re.findall(r"\S+-dev\b|g\+\+|cmake", depends)
    yield "depends on nothing to build with", None if not wrong and "libc6" in depends else depends
    size = package.stat().st_size
    yield "is small: under 5 MB", None if size < 5_000_000 else size
    print(f"{package.name}: {size / 1e6:.1f} MB; depends on {depends.strip()}")


def same(expected, real):
    return None if expected == real else f"expected\n{expected}\ngot\n{real}"


def used(system, source, build):
    """Yields (title, None or what is wrong) about the installed program, as an ordinary user sees it."""

    def person(*words):
        return system.command(*words, user="nobody")

    built = build / "carve"
    code, printed, said = run(person("carve", "--version"))
    yield "carve --version", same(needed([built, "--version"], "the built program"), printed) if code == 0 else said
    here = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    for words in (["plan", EXAMPLE], ["plan", EXAMPLE, "--json"], ["why", EXAMPLE, "reranker"], ["--help"]):
        expected = run([built, *words], cwd=source, env=here)[1]
        code, printed, said = run(person("env", "-C", DOC, "carve", *words))
        yield "carve " + " ".join(words), same(expected, printed) if code == 0 and expected else said
    commands = re.findall(r"^  ([a-z]+)(?: |$)", run([built, "--help"])[1].split("\n\n")[1], re.MULTILINE)
    for page in ["carve", "carve-sim-inject-lose", *(f"carve-{command}" for command in commands)]:
        code, printed, said = run(person("man", "-w", page))
        yield f"man {page}", None if code == 0 and "/usr/share/man/man1/" in printed else said
    unit = run(person("cat", "/usr/lib/systemd/system/carve-apply.service"))[1]
    yield "the unit starts this program", None if "\nExecStart=/usr/bin/carve apply --last " in unit else unit
    code, printed, said = run(person("env", "HOME=/tmp", "carve", "status", "--sim", "2xh100-80gb"))
    yield "carve status --sim", None if code == 0 and "H100" in printed else said
    for driver in ("450", "525", "580"):
        printed = run(person("carve", "sim", "library", "--driver", driver))[1]
        yield f"the library of {driver}", same(f"/usr/lib/carve/simgpu/{driver}/libnvidia-ml.so.1\n", printed)
    smi = ["/usr/lib/carve/simgpu/bin/nvidia-smi", "-L"]
    variables = ["CARVE_SIM_DIR=/tmp/.local/state/carve/sim", "LD_LIBRARY_PATH=/usr/lib/carve/simgpu/580"]
    code, printed, said = run(person("env", *variables, *smi))
    yield "nvidia-smi", None if code == 0 and printed.count("GPU ") == 2 else printed + said
    yield "nvidia-smi is on nobody's PATH", None if run(person("which", "nvidia-smi"))[0] else "it is"
    scripts = {
        "bash": "bash-completion/completions/carve",
        "zsh": "zsh/vendor-completions/_carve",
        "fish": "fish/vendor_completions.d/carve.fish",
    }
    for shell, path in scripts.items():
        expected = run([built, "completion", shell])[1]
        yield f"completion of {shell}", same(expected, run(person("cat", f"/usr/share/{path}"))[1])
    for name in ("copyright", "changelog.Debian.gz", "README.md", "NOTICE", "docs/workload-file.md"):
        code, _, said = run(person("test", "-s", f"{DOC}/{name}"))
        yield f"{DOC}/{name}", None if code == 0 else "is not there"


def lived_through(system, package, source, build):
    """Yields (title, None or what is wrong) from installing to removing."""
    before = system.files()
    system.copy_in(package, f"/tmp/{package.name}")
    install = system.command("apt-get", "install", "-y", "-q", "--no-install-recommends", f"/tmp/{package.name}")
    code, printed, said = run(install)
    if code:  # the lists of the kept system may be older than the mirror
        needed(system.command("apt-get", "update", "-q"), "apt inside")
        code, printed, said = run(install)
    yield "apt-get install", None if code == 0 else (printed + said)[-2000:]
    if code:
        return
    yield from used(system, source, build)
    code, printed, said = run(system.command("apt-get", "autoremove", "--purge", "-y", "-q", "carve"))
    yield "apt-get remove", None if code == 0 else printed + said
    left = sorted(system.files() - before)
    yield "nothing is left", None if not left else left[:20]
    gone = sorted(before - system.files())
    yield "nothing else is gone", None if not gone else gone[:20]


def cases(source, build):
    try:
        requirements()
        package = package_of(build)
        yield from about_package(package)
        kept = made(source / "out" / "debian")
        with tempfile.TemporaryDirectory(dir=source / "out", prefix="debian-") as scratch:
            with System(pathlib.Path(scratch) / "root", of=kept) as system:
                yield from lived_through(system, package, source, build)
    except (Refused, OSError, subprocess.SubprocessError) as reason:
        yield "it can be tried here", str(reason)


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what is mounted and copied goes away
    return judged(cases(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()))


if __name__ == "__main__":
    sys.exit(main())
