#!/usr/bin/python3
"""docs_test.py CARVE [--update]: what the documents show is what the program prints and what the files hold.

In README.md, CONTRIBUTING.md and docs/*.md

- a block `console` holds commands, lines that begin with "$ ./carve ", each followed by what it prints on both streams.
  "# exit 2" behind a command is how it ends; 0 unless said. A line "..." stands for paragraphs that are left out:
  what follows it is the paragraph that begins with the same two words (or one), and as many after it as are shown;
- other blocks hold commands too, lines that begin with "./carve " or "carve ", up to two spaces, a "#" or a pipe. They
  are run, and end with 0 or 1. Under a line that begins with "Planned" they must not: what exists is not planned;
- in sentences, `carve WORD --option` names a command, or a planned one, and an option that it has;
- a block `yaml` shows a file, in whole or a part that it has as it stands. The line above says which:
  <!-- examples/team.yaml --> or <!-- part of examples/team.yaml -->.

Commands run in a folder of their own, one for each document, with the tree in it and with what a reader would have
made: team.yaml, plan.json and simulated cards; commands with `sim` or --sim find none but those that they make. With
--update the outputs, and the files that are shown in whole, are written anew.
"""

import itertools
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = re.compile(r"^\$ (?:\./)?carve\b(.*)\n", re.MULTILINE)
LISTED = re.compile(r"^(?:\./)?carve (\S.*?)(?:  .*|\s*#.*| \| .*)?$", re.MULTILINE)
INSTALLED = "/usr/share/doc/carve/"  # where the package puts the documents and the examples
INLINE = re.compile(r"`(?:\./)?carve ([a-z][^`]*)`")
SHOWS = re.compile(r"<!-- (part of )?(\S+) -->\n\Z")


class Carve:
    """The program, run where a reader would run it."""

    def __init__(self, binary, folder):
        self.binary, self.folder = str(pathlib.Path(binary).resolve()), pathlib.Path(folder)
        for path in [*ROOT.iterdir(), *(ROOT / "examples").iterdir()]:
            if path.name not in ("out", ".git"):
                (self.folder / path.name).symlink_to(path)
        self.environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        for name in ("COLUMNS", "NO_COLOR", "CARVE_NVML"):
            self.environment.pop(name, None)
        self.cut_cards()
        self.run("plan team.yaml -o plan.json")

    def cut_cards(self):
        """The machine whose status is shown: two simulated cards, the first of them cut."""
        build = pathlib.Path(self.binary).parent
        self.own = {**self.environment, "HOME": str(self.folder)}  # for a machine that the reader makes
        for name in ("CARVE_SIM", "CARVE_SIM_DIR", "XDG_STATE_HOME"):
            self.own.pop(name, None)
        self.environment["CARVE_SIM_DIR"] = str(self.folder / "machine")
        for command in (
            ["tests/simgpu_machine", "create", self.environment["CARVE_SIM_DIR"], "h100-80gb,a100-80gb"],
            ["simgpu/bin/nvidia-smi", "-i", "0", "-mig", "1"],
            ["simgpu/bin/nvidia-smi", "mig", "-i", "0", "-cgi", "9,19,19", "-C"],
            ["simgpu/bin/nvidia-smi", "-i", "1", "-mig", "1"],
        ):
            environment = {**self.environment, "LD_LIBRARY_PATH": str(build / "simgpu" / "580")}
            subprocess.run([build / command[0], *command[1:]], env=environment, stdout=subprocess.DEVNULL, check=True)

    def run(self, arguments):
        """(exit code, what it writes in a pipe)"""
        command = [self.binary, *shlex.split(arguments.replace(INSTALLED, ""), comments=True)]
        environment = dict(self.own if "sim" in command or "--sim" in command else self.environment)
        live = command[1] in ("status", "observe", "export", "sim") or "--live" in command or "--sim" in command
        if not live:
            environment.pop("CARVE_SIM_DIR", None)  # planning is shown where there is no card
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, timeout=60, env=environment, check=False
        )
        return done.returncode, done.stdout + done.stderr

    def commands(self):
        """The names of its commands, by its own help."""
        return set(re.findall(r"^  ([a-z][a-z-]*)  ?[ A-Z\[]", self.run("--help")[1], re.MULTILINE))


def begins_alike(paragraphs, at, words):
    """Where the paragraph is, from `at` on, that begins with both words, or else with the first of them."""
    for wanted in (words, words[:1]):
        for index in range(at, len(paragraphs)):
            if paragraphs[index].split()[: len(wanted)] == wanted:
                return index
    return len(paragraphs)


def excerpt(shown, real):
    """What the document would show of the real output, going by the paragraphs that it shows now."""
    paragraphs = real.strip("\n").split("\n\n")
    parts, at = [], 0
    for part in re.split(r"^\.\.\.\n", shown.strip("\n") + "\n", flags=re.MULTILINE):
        if not part.strip():  # "..." is the first or the last line
            parts.append("")
            continue
        count = part.strip("\n").count("\n\n") + 1
        at = begins_alike(paragraphs, at, part.split()[:2])
        parts.append("\n\n".join(paragraphs[at : at + count]) or f"{part.split()[0]} (begins no paragraph here)")
        at += count
    return "\n\n...\n".join(parts).strip("\n") + "\n" if len(parts) > 1 else real.strip("\n") + "\n"


def difference(shown, real):
    """The first line that differs, both ways."""
    for ours, theirs in zip(shown.splitlines() + ["(the end)"], real.splitlines() + ["(the end)"]):
        if ours != theirs:
            return f"the document says\n           {ours}\n         and not\n           {theirs}"
    return "one is longer than the other"


def planned_commands():
    """The names in the block of docs/design.md that says what is planned."""
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    names = set()
    for block in FENCED.finditer(text):
        if is_planned(text, block.start()):
            names |= {line[1].split()[0] for line in LISTED.finditer(block[2])}
    return names


def is_planned(text, position):
    return text[:position].rstrip().rsplit("\n", 1)[-1].startswith("Planned")


class Document:
    """One document. `problems` are sentences; each check that holds counts in `passed`."""

    def __init__(self, path, carve):
        self.path, self.carve = path, carve
        self.text = path.read_text(encoding="utf-8")
        self.problems, self.passed = [], 0

    def expect(self, good, sentence):
        self.passed += bool(good)
        if not good:
            self.problems.append(sentence)

    def sessions(self):
        """Runs what the console blocks show, in the order of the document; returns the text with the real outputs."""
        result, at = [], 0
        for block in FENCED.finditer(self.text):
            if block[1] != "console":
                continue
            starts = list(PROMPT.finditer(self.text, block.start(2), block.end(2)))
            self.expect(starts, f"a console block without a command of carve: {block[2].splitlines()[0]}")
            for start, following in zip(starts, starts[1:] + [None]):
                end = following.start() if following else block.end(2)
                result += [self.text[at : start.end()], self.session(start[1], self.text[start.end() : end])]
                at = end
        return "".join(result) + self.text[at:]

    def session(self, arguments, shown):
        wanted = re.search(r"# exit (\d+)$", arguments)
        code, output = self.carve.run(arguments)
        self.expect(code == int(wanted[1] if wanted else 0), f"carve{arguments}: ends with {code}")
        real = excerpt(shown, output)
        self.expect(shown.strip("\n") == real.strip("\n"), f"carve{arguments}: {difference(shown.strip(), real)}")
        return real + ("\n" if shown.endswith("\n\n") else "")

    def listed(self):
        """Commands in other blocks."""
        for block in FENCED.finditer(self.text):
            if block[1] not in ("", "sh", "bash", "shell", "text"):
                continue
            planned = is_planned(self.text, block.start())
            for line in LISTED.finditer(block[2]):
                if re.search(r"(?:^| )[A-Z]+\b", line[1]):  # a placeholder: the names only
                    self.named(line[1], planned_commands())
                    continue
                code, output = self.carve.run(line[1])
                good = code == 2 if planned else code in (0, 1)
                self.expect(good, f"carve {line[1]}: ends with {code}{', but is planned' if planned else ''}: {output}")

    def inline(self, planned):
        prose = FENCED.sub("", self.text)
        for command in INLINE.findall(prose):
            self.named(command, planned)

    def named(self, command, planned):
        """A command that is named and not run: it exists, and so do its options."""
        words = command.split()
        if words[0] in planned:
            return
        names = list(itertools.takewhile(re.compile(r"[a-z]+").fullmatch, words))
        code, help_text = self.carve.run(f"help {' '.join(names)}")
        exists = code == 0 and words[0] in self.carve.commands()
        self.expect(exists, f"`carve {command}`: there is no such command")
        for option in re.findall(r"(?<!\S)--?[a-z][a-z-]*", command) if exists else []:
            known = re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", help_text)
            self.expect(known, f"`carve {command}`: {words[0]} has no option {option}")

    def files(self, text):
        """Compares what yaml blocks show with the files; returns the text with what the files hold."""
        result, at = [], 0
        for block in FENCED.finditer(text):
            if block[1] != "yaml":
                continue
            shows = SHOWS.search(text, 0, block.start())
            if not shows or not (ROOT / shows[2]).is_file():
                self.expect(False, f"a yaml block that names no file: {block[2].splitlines()[0]}")
                continue
            real = (ROOT / shows[2]).read_text(encoding="utf-8")
            good = block[2] in real if shows[1] else block[2] == real
            wrong = "it is not in there" if shows[1] else difference(block[2], real)
            self.expect(good, f"{shows[2]} is not what the document shows: {wrong}")
            result += [text[at : block.start(2)], block[2] if shows[1] else real]
            at = block.end(2)
        return "".join(result) + text[at:]


def check(path, binary, update):
    with tempfile.TemporaryDirectory() as folder:
        document = Document(path, Carve(binary, folder))
        real = document.files(document.sessions())
        document.listed()
        document.inline(planned_commands())
    if update and real != document.text:
        path.write_text(real, encoding="utf-8")
    return document


def main():
    passed = failed = 0
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]:
        document = check(path, sys.argv[1], "--update" in sys.argv[2:])
        passed += document.passed
        failed += len(document.problems)
        for problem in document.problems:
            print(f"FAILED {path.relative_to(ROOT)}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
