#!/usr/bin/python3
"""browser_test.py CARVE FOLDER: the page in a real browser.

Makes plans and their pages with the program, installs playwright-core and axe-core below FOLDER as package-lock.json
pins them, and lets check.mjs drive Debian's Chromium over the pages. What cannot be installed is a failure, and says
so.
Ends with "N passed, N failed".
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree

sys.dont_write_bytecode = True
import pages  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
CHROMIUM = "/usr/bin/chromium"


def give_up(sentence):
    print(sentence)
    print("0 passed, 1 failed")
    sys.exit(1)


def install(folder):
    """The pinned packages in `folder`; nothing is done when they are there."""
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            give_up(f"there is no {tool}: ./deploy/install-packages all")
    if not os.access(CHROMIUM, os.X_OK):
        give_up(f"there is no {CHROMIUM}: ./deploy/install-packages all")
    lock = (HERE / "package-lock.json").read_bytes()
    done = folder / "installed"
    for name in ("package.json", "package-lock.json", "check.mjs"):
        shutil.copy(HERE / name, folder / name)
    if done.exists() and done.read_bytes() == lock:
        return
    command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    try:
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        give_up("npm did not answer within five minutes, so the page was not looked at")
    if ran.returncode != 0:
        give_up(f"npm could not install what the browser test needs, so the page was not looked at:\n{ran.stderr}")
    done.write_bytes(lock)


def carve(binary, *arguments):
    """What the program prints; it may say that the answer is no, and nothing worse."""
    ran = subprocess.run([binary, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    if ran.returncode not in (0, 1):
        give_up(f"carve {' '.join(map(str, arguments))} ended with {ran.returncode}: {ran.stderr}")
    return ran.stdout


def make(binary, folder):
    """{name: page} of every plan that is looked at, each beside its drawing."""
    inputs = {"team": pages.EXAMPLES / "team.yaml", "choices": pages.EXAMPLES / "choices.yaml"}
    for name, text in (("unplaced", pages.UNPLACED), ("many", pages.many())):
        inputs[name] = folder / f"{name}.yaml"
        inputs[name].write_text(text)
    made = {name: folder / f"{name}.html" for name in [*inputs, "hostile"]}
    for name, path in inputs.items():
        kept, drawing = folder / f"{name}.json", folder / f"{name}.svg"
        carve(binary, "plan", path, "-o", kept, "--html", made[name], "--svg", drawing)
    (folder / "hostile.json").write_text(pages.hostile((folder / "choices.json").read_text()))
    carve(binary, "check", folder / "hostile.json", "--html", made["hostile"], "--svg", folder / "hostile.svg")
    carve(binary, "check", folder / "team.json", "--html", folder / "again.html")
    return made


def documents(folder, made):
    """What needs no browser: [(name, holds)]."""
    for path in [*made.values(), *(page.with_suffix(".svg") for page in made.values())]:
        try:
            xml.etree.ElementTree.parse(path)
            yield f"{path.name} is well-formed", True
        except xml.etree.ElementTree.ParseError as error:
            yield f"{path.name} is well-formed: {error}", False
    size = made["many"].stat().st_size
    plan = json.loads((folder / "many.json").read_text())
    drawings = made["many"].read_text().count("<article")
    yield f"{len(plan['cards'])} cards, {drawings} drawings, {size} bytes: a thousand cards below 1 MB", (
        len(plan["cards"]) >= 1000 and size < 1_000_000
    )
    first, again = ((folder / name).read_text() for name in ("team.html", "again.html"))
    yield "a kept plan has the page of the plan", first.replace("team.yaml", "team.json") == again


def main():
    binary, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    install(folder)
    made = make(binary, folder)
    passed = failed = 0
    for name, holds in documents(folder, made):
        print(f"{'ok' if holds else 'FAILED'}: {name}")
        passed, failed = passed + holds, failed + (not holds)
    ran = subprocess.run(
        ["node", "check.mjs", CHROMIUM, *map(str, made.values())], cwd=folder, text=True, stdout=subprocess.PIPE
    )
    lines = ran.stdout.splitlines()
    print("\n".join(lines))
    passed += sum(line.startswith("ok: ") for line in lines)
    failed += sum(line.startswith("FAILED: ") for line in lines)
    if ran.returncode != 0:
        print(f"FAILED: check.mjs ended with {ran.returncode}")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


main()
