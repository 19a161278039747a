#!/usr/bin/python3
"""archive_test.py SOURCE: what `git archive` writes of the last commit is enough to build from, without git: CMake
configures it, it has every file of the commit, and the program would name the commit. Compiling it all again would show
nothing that a clone does not. Ends with "N passed, N failed"."""

import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from verdicts import judged  # noqa: E402


def run(command):
    """(exit code, all that it printed)."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def cases(source, scratch):
    """Yields (title, None or what is wrong)."""
    tree, build = scratch / "tree", scratch / "build"
    tree.mkdir()
    _, commit = run(["git", "-C", source, "rev-parse", "HEAD"])
    commit = commit.strip()
    code, said = run(["git", "-C", source, "archive", "-o", scratch / "carve.tar", commit])
    if code:
        yield "git archive", f"needs a clone: {said}"
        return
    run(["tar", "-xf", scratch / "carve.tar", "-C", tree])
    _, tracked = run(["git", "-C", source, "ls-tree", "-r", "-z", "--name-only", commit])
    missing = [name for name in tracked.split("\0") if name and not (tree / name).exists()]
    yield "has every file", missing or None
    code, said = run(["cmake", "-S", tree, "-B", build, "-G", "Ninja", "-DBUILD_TESTING=OFF"])
    yield "configures", said[-2000:] if code else None
    code, said = run(["cmake", "--build", build, "--target", "src/commit.cc"])
    yield "looks up the commit", said[-2000:] if code else None
    if code:
        return
    written = (build / "src" / "commit.cc").read_text()
    expected = f'{{"{commit}", SourceState::archive}}'
    yield "names the commit", None if expected in written else written


def main():
    with tempfile.TemporaryDirectory() as scratch:
        return judged(cases(pathlib.Path(sys.argv[1]), pathlib.Path(scratch)))


if __name__ == "__main__":
    sys.exit(main())
