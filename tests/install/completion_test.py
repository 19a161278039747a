#!/usr/bin/python3
"""completion_test.py CARVE SHELL: what SHELL offers when a person presses TAB, after it has read the script that
`carve completion SHELL` prints. bash and zsh run on a terminal of their own, as a person's would; fish answers the
question itself (`complete -C`). Ends with "N passed, N failed"."""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PATIENCE_S = 20

# (what is typed before TAB, what is offered then: the one word, completed in its line, or several)
CASES = [
    ("carve pl", ["carve plan "]),
    ("carve plan --", ["--fleet", "--json", "--output", "--stats", "--ascii", "--width", "--help"]),
    ("carve plan --fl", ["carve plan --fleet "]),
    ("carve --v", ["carve --version "]),
    ("carve help mech", ["carve help mechanisms "]),
    ("carve plan te", ["carve plan team.yaml "]),
    ("carve plan -o x.json par", ["carve plan -o x.json parvagpu/"]),
    ("carve why team.yaml re", ["reranker", "resnet-serving"]),
    ("carve why team.yaml tow", ["carve why team.yaml tower-train "]),
    ("carve cards h100-sxm5-8", ["carve cards h100-sxm5-80gb "]),
    ("carve plan team.yaml --fleet 2xa30,8xh100-sxm5-8", ["carve plan team.yaml --fleet 2xa30,8xh100-sxm5-80gb "]),
    ("carve plan team.yaml --fleet=8xh100-sxm5-8", ["carve plan team.yaml --fleet=8xh100-sxm5-80gb "]),
    ("carve check pl", ["carve check plan.json "]),
    ("carve completion z", ["carve completion zsh "]),
]

START = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        "bind 'set show-all-if-ambiguous on'; bind 'set page-completions off'; bind 'set enable-bracketed-paste off'\n"
        "bind 'set bell-style none'; source <(carve completion bash)\n",
    ),
    "zsh": (
        ["zsh", "-f", "-i"],
        "unsetopt zle_bracketed_paste prompt_sp beep; unset zle_bracketed_paste; LISTMAX=0\n"
        "autoload -Uz compinit; compinit -u -D; source <(carve completion zsh)\n",
    ),
}


class Terminal:
    """A shell on a terminal, that one types into and whose screen one reads."""

    def __init__(self, command, folder, environment):
        self.screen = ""
        self.child, self.master = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)

    def type(self, text):
        os.write(self.master, text.encode())

    def wait_for(self, words):
        """Reads until the screen shows all words, or nothing comes any more; the words that it does not show."""
        end = time.monotonic() + PATIENCE_S
        while True:
            missing = [word for word in words if word not in self.screen]
            if not missing or time.monotonic() > end:
                return missing
            if select.select([self.master], [], [], 0.2)[0]:
                text = os.read(self.master, 65536).decode(errors="replace")
                self.screen += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|[\r\x07]", "", text)

    def clear(self):
        self.screen = ""

    def close(self):
        os.close(self.master)
        os.waitpid(self.child, 0)


def typed_into(shell, folder, environment):
    """[(typed, what was expected and not shown, the screen)]."""
    command, setup = START[shell]
    terminal = Terminal(command, folder, environment)
    terminal.type(setup + "echo read''y\n")
    if terminal.wait_for(["ready"]):
        return [("the start", ["ready"], terminal.screen)]
    results = []
    for typed, offered in CASES:
        terminal.clear()
        terminal.type(typed + "\t")
        missing = terminal.wait_for(offered)
        results.append((typed, missing, terminal.screen))
        terminal.type("\x15echo next''line\n")  # wipes the line
        terminal.wait_for(["nextline"])
    terminal.close()
    return results


def asked_of_fish(folder, environment):
    """The same of fish, which prints the words that it would offer, with what they mean."""
    results = []
    for typed, offered in CASES:
        done = subprocess.run(
            ["fish", "--no-config", "-c", 'carve completion fish | source; complete -C "$TYPED"'],
            cwd=folder,
            env={**environment, "TYPED": typed},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        words = [line.split("\t")[0] for line in done.stdout.splitlines()]
        before = typed.rpartition(" ")[0] + " "
        missing = [word for word in offered if word.removeprefix(before).rstrip() not in words]
        results.append((typed, missing, done.stdout + done.stderr))
    return results


def main():
    carve, shell = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    if shutil.which(shell) is None:
        print(f"FAILED: {shell} is not installed; ./test all installs it\n0 passed, 1 failed")
        return True
    with tempfile.TemporaryDirectory() as scratch:
        folder, programs = pathlib.Path(scratch) / "folder", pathlib.Path(scratch) / "bin"
        shutil.copytree(ROOT / "examples", folder)
        (folder / "plan.json").write_text("{}\n")
        programs.mkdir()
        (programs / "carve").symlink_to(carve)
        environment = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": scratch, "LC_ALL": "C.UTF-8"}
        environment |= {"TERM": "dumb", "COLUMNS": "200", "PS1": "> "}
        results = asked_of_fish(folder, environment) if shell == "fish" else typed_into(shell, folder, environment)
    failed = 0
    for typed, missing, screen in results:
        if missing:
            failed += 1
            print(f"FAILED {shell}: {typed!r} does not offer {missing}; it shows\n{screen}\n")
    print(f"{len(results) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
