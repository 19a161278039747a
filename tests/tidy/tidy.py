#!/usr/bin/python3
"""tidy.py ROOT: rules over the text of the tree that no compiler holds. Prints what breaks them, as file:line:
sentence, and ends with "N passed, N failed", a rule being a case.

The rules about include lines stand in includes.py, the length of functions in functions.py, the others here.
"""

import os
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import functions  # noqa: E402
import includes  # noqa: E402

MOST_LINES = 500
MOST_FUNCTION_LINES = 70
MOST_COLUMNS = 120

CODE = (".cc", ".h")
SCRIPTS = (".py", ".sh", ".cmake", "CMakeLists.txt", "/run", "/install-packages", "/build", "/carve", "/test")
PROSE = (".md", ".yaml", ".json", ".txt")
FOREIGN = ("LICENSE", "LICENSE-MIT")

# Patterns that must not appear: (what to look at, pattern, what to say). Written so that they do not match themselves.
FORBIDDEN = [
    (CODE + SCRIPTS + PROSE, r"\b(?:TO[D]O|FIX[M]E|XX[X])\b", "unfinished work belongs in an issue, not in the tree"),
    (CODE + SCRIPTS + PROSE + (".csv",), r"[ \t]+$", "trailing white space"),
    (CODE, r"\t", "a tab"),
    (CODE, r"\busing\s+namespace\b", "using namespace hides where a name comes from"),
    (CODE + (".py",), r"\b(?:system|popen)\s*\(", "no shell: start programs by their path and arguments"),
    (CODE, r"\bstd::unordered_|<unordered_", "no unordered containers: their order is not ours to decide"),
    (
        CODE + SCRIPTS + PROSE + (".csv",),
        r"(?<![\w.])/(?:[w]ork|[r]oot|[h]ome)/",
        "a path of one machine",
    ),
    (
        CODE + SCRIPTS + PROSE,
        r"(?:deb\.[d]ebian|pypi|pythonhosted|[n]pmjs|proxy\.[g]olang|crates|docker)\.(?:org|io|com)",
        "the host of a package registry: a machine's own settings say where packages come from",
    ),
]


class Tree:
    """The files of a tree by their paths from its root; build folders and .git are no part of it."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.files = set()
        for folder, folders, files in os.walk(self.root):
            here = pathlib.Path(folder)
            folders[:] = [
                name
                for name in folders
                if name not in (".git", "out", "__pycache__")
                and not name.startswith("build-")
                and not (here / name / "CMakeCache.txt").exists()
            ]
            self.files |= {(here / name).relative_to(self.root).as_posix() for name in files}

    def under(self, *tops):
        return sorted(path for path in self.files if path.split("/")[0] in tops)

    def ending(self, endings):
        return sorted(
            path for path in self.files if ("/" + path).endswith(endings) and path.split("/")[-1] not in FOREIGN
        )

    def text(self, path):
        return (self.root / path).read_text(encoding="utf-8")

    def lines(self, path):
        return self.text(path).splitlines()


def file_lengths(tree):
    for path in tree.ending(CODE + SCRIPTS):
        count = len(tree.lines(path))
        if count > MOST_LINES:
            yield path, MOST_LINES, f"{count} lines; a file over {MOST_LINES} holds two ideas"


def function_lengths(tree):
    for path in tree.ending(CODE):
        for line, count in functions.lengths(tree.text(path)):
            if count > MOST_FUNCTION_LINES:
                yield path, line, f"a function of {count} lines; one over {MOST_FUNCTION_LINES} holds two ideas"


def line_lengths(tree):
    for path in tree.ending(CODE + SCRIPTS):
        for number, line in enumerate(tree.lines(path), 1):
            if len(line) > MOST_COLUMNS and not re.search(r'R"|https?://', line):
                yield path, number, f"{len(line)} columns; {MOST_COLUMNS} at most"


def openings(tree):
    for path in tree.under("src", *includes.BESIDE):
        if not path.endswith(CODE):
            continue
        lines = tree.lines(path) or [""]
        told_in_header = path.endswith(".cc") and path[:-3] + ".h" in tree.files
        if not lines[0].startswith("//") and not told_in_header and len(lines) > 10:
            yield path, 1, "a file opens with a comment: its contract or its algorithm"
        if path.endswith(".h") and "#pragma once" not in lines:
            yield path, 1, "a header without #pragma once"


def endings(tree):
    for path in tree.ending(CODE + SCRIPTS + PROSE + (".csv",)):
        text = tree.text(path)
        if text and not text.endswith("\n"):
            yield path, text.count("\n") + 1, "no newline at the end"


def forbidden(tree):
    for endings_, pattern, sentence in FORBIDDEN:
        search = re.compile(pattern).search
        for path in tree.ending(endings_):
            if path.startswith("tests/tidy/"):
                continue  # the rules themselves
            for number, line in enumerate(tree.lines(path), 1):
                if search(line):
                    yield path, number, sentence


def links(tree):
    """Relative links of documents lead to something that is there."""
    for path in tree.ending((".md",)):
        for number, line in enumerate(tree.lines(path), 1):
            for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", line):
                if not ((tree.root / path).parent / target).exists():
                    yield path, number, f"a link to {target}, which is not there"


RULES = [
    ("include lines and rooms", includes.check),
    ("length of files", file_lengths),
    ("length of functions", function_lengths),
    ("length of lines", line_lengths),
    ("how files open", openings),
    ("how files end", endings),
    ("what must not appear", forbidden),
    ("links of documents", links),
]


def complaints(root):
    """[(rule, ["path:line: sentence", ...])] for every rule."""
    tree = Tree(root)
    return [(title, [f"{path}:{line}: {sentence}" for path, line, sentence in rule(tree)]) for title, rule in RULES]


def main():
    found = complaints(sys.argv[1])
    for title, broken in found:
        print(f"{'FAILED' if broken else 'ok    '} {title}")
        for sentence in broken:
            print(f"         {sentence}")
    failed = sum(bool(broken) for _, broken in found)
    print(f"{len(found) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
