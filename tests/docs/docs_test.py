#!/usr/bin/python3
"""docs_test.py CARVE [--update]: what the documents show is what the program prints.

In README.md and docs/*.md a block of the language `console` holds commands, lines that begin with "$ ./carve ", each
followed by its output. A line "..." stands for paragraphs that are left out: what follows it is the paragraph that
begins with the same word, and as many after it as are shown. With --update the outputs are written anew.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ \./carve (.*)\n", re.MULTILINE)


def printed(binary, arguments):
    """What the command writes to stdout in a pipe; a message on stderr is no part of a document."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    for name in ("COLUMNS", "NO_COLOR"):
        environment.pop(name, None)
    command = [binary, *shlex.split(arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, env=environment)
    if done.returncode not in (0, 1):
        return f"(ended with {done.returncode}: {done.stderr.strip()})\n"
    return done.stdout


def excerpt(shown, real):
    """What the document would show of the real output, going by the paragraphs that it shows now."""
    paragraphs = real.strip("\n").split("\n\n")
    parts, at = [], 0
    for part in re.split(r"^\.\.\.\n", shown.strip("\n") + "\n", flags=re.MULTILINE):
        count = part.strip("\n").count("\n\n") + 1
        word = part.split()[0]
        while at < len(paragraphs) and paragraphs[at].split()[0] != word:
            at += 1
        parts.append("\n\n".join(paragraphs[at : at + count]) or f"(no paragraph begins with {word})")
        at += count
    return "\n\n...\n".join(parts) + "\n" if len(parts) > 1 else real.strip("\n") + "\n"


def commands_of(text):
    """[(arguments, where its output begins and ends)] of a document."""
    found = []
    for block in BLOCK.finditer(text):
        starts = list(COMMAND.finditer(text, block.start(), block.end()))
        for start, following in zip(starts, starts[1:] + [None]):
            found.append((start[1], start.end(), following.start() if following else block.end()))
    return found


def difference(shown, real):
    """The first line that differs, both ways."""
    for ours, theirs in zip(shown.splitlines() + ["(the end)"], real.splitlines() + ["(the end)"]):
        if ours != theirs:
            return f"the document says\n           {ours}\n         carve prints\n           {theirs}"
    return "one is longer than the other"


def main():
    binary, update = sys.argv[1], "--update" in sys.argv[2:]
    passed = failed = 0
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = path.read_text(encoding="utf-8")
        for arguments, begin, end in reversed(commands_of(text)):
            shown = text[begin:end]
            real = excerpt(shown, printed(binary, arguments))
            if update:
                text = text[:begin] + real + text[end:]
            elif shown.strip("\n") != real.strip("\n"):
                failed += 1
                print(f"FAILED {path.relative_to(ROOT)}: carve {arguments}: {difference(shown, real)}")
                continue
            passed += 1
        if update:
            path.write_text(text, encoding="utf-8")
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
