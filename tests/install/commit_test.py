#!/usr/bin/python3
"""commit_test.py: what cmake/commit.cmake says of a tree: clean, modified, an archive, none of these; and that it does
not touch its output without need. Ends with "N passed, N failed"."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from verdicts import judged  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Tree:
    """A small tree with the script in it, and what the script writes about it."""

    def __init__(self, folder):
        self.folder = folder
        self.output = folder.parent / (folder.name + ".cc")
        (folder / "src").mkdir(parents=True)
        (folder / "src" / "main.cc").write_text("// main\n")
        (folder / "CMakeLists.txt").write_text("# nothing\n")
        shutil.copytree(ROOT / "cmake", folder / "cmake")
        shutil.copy(ROOT / ".gitattributes", folder)
        (folder / "cmake" / "archived-commit.txt").write_text("$Format:%H$\n")  # as in a clone

    def git(self, *arguments):
        command = ["git", "-C", self.folder, "-c", "user.name=a", "-c", "user.email=a@localhost", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout.strip()

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "a commit")
        return self.git("rev-parse", "HEAD")

    def answer(self):
        """What the script writes: (commit, state)."""
        script = self.folder / "cmake" / "commit.cmake"
        command = ["cmake", "-D", f"SOURCE={self.folder}", "-D", f"OUTPUT={self.output}", "-P", script]
        subprocess.run(command, check=True, env=ENVIRONMENT)
        text = self.output.read_text()
        commit, _, rest = text.partition('{"')[2].partition('"')
        return commit, rest.partition("SourceState::")[2].partition("}")[0]


# Of no user, and of no repository around this one.
ENVIRONMENT = {**{k: v for k, v in os.environ.items() if not k.startswith("GIT_")}, "GIT_CONFIG_GLOBAL": "/dev/null"}
ENVIRONMENT["GIT_CONFIG_SYSTEM"] = "/dev/null"


def cases(scratch):
    """Yields (title, expected, real)."""
    tree = Tree(scratch / "tree")
    yield "a tree without git", ("", "unknown"), tree.answer()
    tree.git("init", "-q")
    yield "nothing is committed", ("", "unknown"), tree.answer()
    first = tree.commit()
    yield "a commit", (first, "clean"), tree.answer()
    written = tree.output.stat().st_mtime_ns
    yield "asked again, nothing is written", (first, "clean"), tree.answer()
    yield "and its time stays", written, tree.output.stat().st_mtime_ns
    (tree.folder / "README.md").write_text("a document\n")
    yield "a change that is no part of the program", (first, "clean"), tree.answer()
    (tree.folder / "src" / "main.cc").write_text("// other\n")
    yield "a source changed", (first, "modified"), tree.answer()
    second = tree.commit()
    yield "the next commit", (second, "clean"), tree.answer()
    (tree.folder / "src" / "new.cc").write_text("// new\n")
    yield "a source that git does not know", (second, "modified"), tree.answer()
    watched = tree.output.with_suffix(".cc.d").read_text()
    yield "git's own files are watched", True, f"{tree.folder}/.git/logs/HEAD" in watched

    below = tree.folder / "unpacked"
    archive = scratch / "a.tar"
    tree.git("archive", "-o", str(archive), "HEAD")
    for folder, title in ((scratch / "archive", "an archive"), (below, "an archive below another clone")):
        shutil.unpack_archive(archive, folder)
        unpacked = Tree.__new__(Tree)
        unpacked.folder, unpacked.output = folder, scratch / "archive.cc"
        yield title, (second, "archive"), unpacked.answer()


def main():
    with tempfile.TemporaryDirectory() as scratch:
        compared = cases(pathlib.Path(scratch).resolve())
        return judged(
            (title, None if expected == real else f"expected {expected}, got {real}")
            for title, expected, real in compared
        )


if __name__ == "__main__":
    sys.exit(main())
