"""A minimal Debian 12 below a folder, made by debootstrap from the mirror that this machine's apt uses, and commands
inside it. Making one takes a minute, so what was made is kept, and each test works on a copy."""

import os
import pathlib
import re
import shutil
import subprocess
import uuid

SUITE = "bookworm"
INCLUDED = "man-db"  # besides the smallest system
# Settings of apt that say how to reach a mirror, and not what this machine has installed.
REACHING = re.compile(r"Acquire::(?:https?|Retries|Languages|Check-Valid-Until|Check-Date|ForceIPv4|ForceIPv6)\b")


class Refused(Exception):
    """Why there is no such system here."""


def run(command, **more):
    """(exit code, stdout, stderr) of a command."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, **more)
    return done.returncode, done.stdout, done.stderr


def needed(command, what, **more):
    """stdout of a command that must succeed."""
    code, printed, said = run(command, **more)
    if code:
        raise Refused(f"{what}: {' '.join(map(str, command))} ended with {code}\n{(printed + said)[-2000:]}")
    return printed


def sources():
    """[(address, suite)] of Debian 12 in the apt of this machine; the first is the release itself."""
    form = "$(REPO_URI) $(RELEASE) $(ORIGIN) $(COMPONENT) $(CREATED_BY)"
    rows = [line.split() for line in needed(["apt-get", "indextargets", "--format", form], "apt").splitlines()]
    found = {
        (row[0], row[1])
        for row in rows
        if row[2:] == ["Debian", "main", "Packages"] and row[1].split("-")[0] == SUITE
    }
    if not any(suite == SUITE for _, suite in found):
        raise Refused(f"apt on this machine knows no mirror of Debian 12 ({SUITE}); apt-get update may bring its lists")
    return sorted(found, key=lambda source: (source[1] != SUITE, source[1], source[0]))


def requirements():
    """Raises what is missing here."""
    if os.geteuid() != 0:
        raise Refused("needs root: it makes a Debian system below a folder and installs the package there")
    for tool in ("debootstrap", "apt-get", "chroot"):
        if shutil.which(tool) is None:
            raise Refused(f"{tool} is not installed; ./test all installs it")


def made(cache):
    """The folder of the kept system, which is made first if there is none. It appears whole or not at all."""
    requirements()
    kept = cache / f"{SUITE}-minbase-{INCLUDED}"
    if kept.is_dir():
        return kept
    places = sources()
    cache.mkdir(parents=True, exist_ok=True)
    making = System(cache / f"making-{uuid.uuid4().hex[:8]}")
    try:
        command = ["debootstrap", "--variant=minbase", f"--include={INCLUDED}", SUITE, making.root, places[0][0]]
        needed(command, "debootstrap")
        etc = making.root / "etc" / "apt"
        (etc / "sources.list").write_text("".join(f"deb {address} {suite} main\n" for address, suite in places))
        settings = needed(["apt-config", "dump"], "apt").splitlines()
        (etc / "apt.conf.d" / "90reaching").write_text(
            "".join(line + "\n" for line in settings if REACHING.match(line) and not line.endswith(' "";'))
        )
        making.copy_in("/etc/resolv.conf", "/etc/resolv.conf")
        needed(making.command("apt-get", "update", "-q"), "apt inside")
        making.root.rename(kept)
    finally:
        making.remove()
    return kept


class System:
    """A Debian below `root`, gone at the end of a `with`."""

    def __init__(self, root, of=None):
        self.root = pathlib.Path(root)
        if of is not None:
            needed(["cp", "-a", "--reflink=auto", of, self.root], "copying the system")
            self.copy_in("/etc/resolv.conf", "/etc/resolv.conf")
            needed(["mount", "-t", "proc", "proc", self.root / "proc"], "its /proc")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()

    def command(self, *words, user="root"):
        """A command of this machine that runs `words` inside."""
        account = "0:0" if user == "root" else "65534:65534"
        environment = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "HOME=/"]
        environment += ["DEBIAN_FRONTEND=noninteractive"]
        environment += [f"{name}={value}" for name, value in os.environ.items() if name.lower().endswith("_proxy")]
        return ["chroot", f"--userspec={account}", self.root, *environment, *words]

    def copy_in(self, path, to):
        target = self.root / to.lstrip("/")
        target.unlink(missing_ok=True)
        shutil.copy(path, target)

    def files(self):
        """Every path inside, but for what keeps a record of what happened: caches, lists, logs."""
        passing = ("var/cache/", "var/log/", "var/lib/apt/", "var/lib/dpkg/", "run/", "tmp/", "proc/", "dev/", "sys/")
        found = set()
        for folder, folders, names in os.walk(self.root):
            here = pathlib.Path(folder).relative_to(self.root)
            found |= {(here / name).as_posix() for name in folders + names}
        return {path for path in found if not path.startswith(passing)}

    def remove(self):
        """Takes away what is mounted below, innermost first, and then the folder; never what a mount shows."""
        if not self.root.exists():
            return
        root = self.root.resolve().as_posix() + "/"
        mounted = [line.split()[1] for line in pathlib.Path("/proc/mounts").read_text().splitlines()]
        for place in sorted((place for place in mounted if place.startswith(root)), reverse=True):
            run(["umount", place])
        run(["rm", "-rf", "--one-file-system", self.root])
