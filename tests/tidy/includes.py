"""Include lines against the tables of docs/design.md, section 8, which are read from there so that they cannot drift.

A file of a room may include any header of its own room, and ROOM/ROOM.h of the rooms that it sees; what a room sees
includes what that sees. Heavy headers of libraries are allowed in the places that the second table lists. A test may
include any header of the room that it tests, and the public header of every other; a fuzz target, any.
"""

import re

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
CODE = (".cc", ".h")
BESIDE = ("simgpu",)  # folders beside src/ whose folders are rooms, with their whole path as name


def home(target):
    """The path of an included file."""
    return target if target.split("/")[0] in BESIDE else f"src/{target}"


def table_rows(text, first_header):
    """The rows of the Markdown table whose first column has this title, as lists of cells."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith(f"| {first_header} |"):
            break
    next(lines, None)  # the line of dashes
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return rows


def rooms_of(design):
    """{room: every room that it sees, itself included}."""
    direct = {}
    for name, _, sees in table_rows(design, "room"):
        words = [] if sees == "-" else [word.strip().strip("`") for word in sees.split(",")]
        direct[name.strip("`").removeprefix("src/")] = words
    headers = [word for words in direct.values() for word in words if word.endswith(".h")]
    direct.update({header: [] for header in headers})
    seen = {}
    for room, words in direct.items():
        pending, reached = (list(direct) if words == ["any"] else list(words)), {room}
        while pending:
            other = pending.pop()
            if other not in reached:
                reached.add(other)
                pending += direct[other]  # an unknown name in the table is a defect of the table: KeyError
        seen[room] = reached
    return seen


def heavy_of(design):
    """[(start of an include, rooms or files that may have it)]."""
    rules = []
    for headers, places in table_rows(design, "headers"):
        allowed = [place.strip() for place in places.split(",")]
        rules += [(prefix, allowed) for prefix in re.findall(r"`([^`]+)`", headers)]
    return rules


def room_of(path, rooms):
    """The room of "pack/solver/cbc.cc": the longest one that is a folder above it; None for a file outside all."""
    folder = path.rpartition("/")[0]
    while folder and folder not in rooms:
        folder = folder.rpartition("/")[0]
    return folder or None


def public_header(room):
    return f"{room}/{room.rpartition('/')[2]}.h"


def quoted(path, target, tree, rooms):
    """What is wrong with #include "target" in the file at `path`, or None."""
    top, _, inner = path.partition("/")
    own = room_of(path if top in BESIDE else inner, rooms)
    other = room_of(target, rooms)
    if top == "tests" and f"tests/{target}" in tree.files:
        return None  # a helper of the tests
    if other is None:
        return f'"{target}" is in no room of docs/design.md; write "room/file.h"'
    if home(target) not in tree.files:
        return f'"{target}" does not exist in src/'
    if own == other or path.startswith("tests/fuzz/") or (own is not None and target in rooms[own]):
        return None
    if top in ("src", *BESIDE) and own is not None and other not in rooms[own]:
        return f'{own} does not see {other}, so it cannot include "{target}"'
    if target != public_header(other):
        return f'other rooms include only "{public_header(other)}" of {other}, not "{target}"'
    return None


def heavy(path, target, rules):
    """What is wrong with an #include of a library's header, or None."""
    top, _, inner = path.partition("/")
    for prefix, allowed in rules if top == "src" else []:
        if target.startswith(prefix):
            if not any(inner == place or inner.startswith(place + "/") for place in allowed):
                return f"<{target}> is allowed only in {', '.join(allowed)}"
    return None


def check(tree):
    """Yields (path, line number, complaint)."""
    design = tree.text("docs/design.md")
    rooms, rules = rooms_of(design), heavy_of(design)
    for path in tree.under("src", "tests", *BESIDE):
        if not path.endswith(CODE):
            continue
        in_room = room_of(path.removeprefix("src/"), rooms) is not None
        if not path.startswith("tests/") and path.count("/") > 1 and not in_room:
            yield path, 0, "this folder is no room of docs/design.md"
        for number, line in enumerate(tree.lines(path), 1):
            found = INCLUDE.match(line)
            if found:
                wrong = quoted(path, found[1], tree, rooms) if found[1] else None
                wrong = wrong or heavy(path, found[1] or found[2], rules)
                if wrong:
                    yield path, number, wrong
    yield from check_cmake(tree, rooms)


def check_cmake(tree, rooms):
    """The rooms that src/CMakeLists.txt links are rooms that the table lets one see."""
    path = "src/CMakeLists.txt"
    for number, line in enumerate(tree.lines(path), 1):
        found = re.match(r"carve_room\((\S+?)(?:\s+SEES\s+([a-z/ ]+?))?(?:\s+LIBRARIES.*)?\)", line)
        if not found:
            continue
        if found[1] not in rooms:
            yield path, number, f"{found[1]} is no room of docs/design.md"
            continue
        for other in (found[2] or "").split():
            if other not in rooms[found[1]]:
                yield path, number, f"{found[1]} does not see {other} in docs/design.md"
