#!/usr/bin/python3
"""manual_test.py CARVE DOCUMENTS: the manual pages in DOCUMENTS/man1. None gives groff, man, mandoc or lexgrog a reason
to complain; there is one for each command, and it says all that --help says. Ends with "N passed, N failed"."""

import gzip
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from verdicts import judged  # noqa: E402

TOOLS = [
    ["groff", "-ww", "-z", "-man"],
    ["mandoc", "-Tlint"],
    ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", "-"],
]


def answer(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60)
    return done.stdout, done.stderr, done.returncode


def complaints(tool, text):
    """What a tool says of a page; None when it is content."""
    try:
        printed, said, code = answer(tool, text)
    except FileNotFoundError:
        return f"{tool[0]} is not installed; ./test all installs it"
    said += printed if tool[0] == "mandoc" else ""
    return said.strip() or (f"ended with {code}" if code else None)


def as_read(text):
    """The page as one line of words, without what a terminal makes of it."""
    printed, _, _ = answer(["groff", "-man", "-Tascii", "-P-c", "-P-b", "-P-u", "-rHY=0", "-rLL=300n"], text)
    return " ".join(printed.split())


def words_of_help(text):
    """Every name and every text of the list of arguments and options, and every example."""
    for line in text.splitlines():
        row = re.fullmatch(r"  (\S.*?)  +(\S.*)", line)
        if row:
            yield row[1]
            yield row[2]


def every_command(carve, commands):
    """The words of each command: of those of the overview, and of those that a group lists in its help."""
    pending = [[command] for command in commands]
    while pending:
        words = pending.pop()
        yield words
        listed = answer([carve, *words, "--help"])[0].partition("\nCommands\n")[2].partition("\n\n")[0]
        pending += [[*words, inner] for inner in re.findall(r"^  ([a-z]+)(?: |$)", listed, re.MULTILINE)]


def cases(carve, folder):
    """Yields (title, None or what is wrong)."""
    pages = {path.name.removesuffix(".1.gz"): gzip.open(path, "rt").read() for path in sorted(folder.glob("*.1.gz"))}
    overview, _, _ = answer([carve, "--help"])
    commands = re.findall(r"^  ([a-z]+)(?: |$)", overview.partition("Commands\n")[2].partition("\n\n")[0], re.MULTILINE)
    expected = sorted(["carve", *(f"carve-{'-'.join(words)}" for words in every_command(carve, commands))])
    yield "a page for each command", None if sorted(pages) == expected and len(commands) > 4 else sorted(pages)
    for name, text in pages.items():
        for tool in TOOLS:
            yield f"{name}: {tool[0]}", complaints(tool, text)
        indexed = complaints(["lexgrog", "--", str(folder / f"{name}.1.gz")], None)
        yield f"{name}: lexgrog", indexed
        read = as_read(text)
        said, _, _ = answer([carve, *name.split("-")[1:], "--help"])
        missing = [words for words in words_of_help(said) if " ".join(words.split()) not in read]
        if name == "carve":
            missing = [words for words in missing if words.split()[0] not in [*commands, "carve"]]
        else:
            commands_of = said.partition("\nCommands\n")[2].partition("\n\n")[0]
            listed = re.findall(r"^  ([a-z]+ ?.*?)(?:  |$)", commands_of, re.MULTILINE)
            missing = [words for words in missing if words not in ["this text", *listed]]
        yield f"{name}: what --help says", missing or None


def main():
    return judged(cases(sys.argv[1], pathlib.Path(sys.argv[2]) / "man1"))


if __name__ == "__main__":
    sys.exit(main())
