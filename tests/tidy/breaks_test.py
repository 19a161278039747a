#!/usr/bin/python3
"""Every rule of tidy.py can fail: a small tree that is in order, broken in one way at a time, yields the one complaint
that is meant; the tree in order, and what looks like a break and is none, yield none."""

import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
import tidy  # noqa: E402

# The real tables, without the text around them and its links.
DOCUMENT = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "design.md"
DESIGN = "".join(line for line in DOCUMENT.read_text().splitlines(True) if line == "\n" or line.startswith("| "))

SOUND = {
    "docs/design.md": DESIGN,
    "README.md": "See [the design](docs/design.md).\n",
    "src/CMakeLists.txt": "carve_room(base)\ncarve_room(plan SEES policy text LIBRARIES x)\n",
    "src/base/base.h": '// base\n#pragma once\n\n#include "base/units.h"\n',
    "src/base/units.h": "// units\n#pragma once\n",
    "src/card/card.h": '// card\n#pragma once\n\n#include "base/base.h"\n',
    "src/card/names.cc": '// names\n#include "card/card.h"\n',
    "src/pack/pack.h": '// pack\n#pragma once\n\n#include "card/card.h"\n#include "pack/solver/solver.h"\n',
    "src/pack/solver/solver.h": '// solver\n#pragma once\n\n#include "base/base.h"\n',
    "src/pack/solver/cbc.cc": '// cbc\n#include <CbcModel.hpp>\n\n#include "pack/solver/solver.h"\n',
    "src/card/catalog_table.h": "// rows\n#pragma once\n",
    "simgpu/state/state.h": "// state\n#pragma once\n",
    "simgpu/state/store.h": "// store\n#pragma once\n",
    "tests/card/card_test.cc": '#include "card/card.h"\n#include "base/base.h"\n',
}


def function_of(lines, head="int f(int a,\n      int b) const"):
    return "// f\nnamespace carve {\nstruct S {\n  int x = 0;\n};\n" + head + " {\n" + "  a;\n" * lines + "}\n}\n"


# (what is broken, file, its content, what the complaint says; None: it is in order)
CASES = [
    ("nothing", "README.md", SOUND["README.md"], None),
    ("a room that it does not see", "src/card/a.cc", '// a\n#include "pack/pack.h"\n', "card does not see pack"),
    ("not the public header", "src/card/a.cc", '// a\n#include "base/units.h"\n', 'only "base/base.h"'),
    ("a room inside a room", "src/card/a.cc", '// a\n#include "pack/solver/solver.h"\n', "does not see pack/solver"),
    ("upwards from a room inside", "src/pack/solver/a.cc", '// a\n#include "pack/pack.h"\n', "does not see pack,"),
    ("its own header", "src/base/a.cc", '// a\n#include "base/units.h"\n', None),
    ("by transitivity", "src/pack/a.cc", '// a\n#include "base/base.h"\n', None),
    ("no such header", "src/card/a.cc", '// a\n#include "base/gone.h"\n', "does not exist"),
    ("no such room", "src/card/a.cc", '// a\n#include "util/util.h"\n', "is in no room"),
    ("a folder that is no room", "src/util/util.h", "// util\n#pragma once\n", "is no room"),
    ("a test of another room's inside", "tests/card/a_test.cc", '#include "base/units.h"\n', 'only "base/base.h"'),
    ("a test of its own inside", "tests/base/a_test.cc", '#include "base/units.h"\n', None),
    ("a fuzz target of an inside", "tests/fuzz/a_fuzz.cc", '#include "base/units.h"\n', None),
    ("the catalog's rows beside src", "simgpu/control/a.cc", '// a\n#include "card/catalog_table.h"\n', None),
    ("carve's cards beside src", "simgpu/control/a.cc", '// a\n#include "card/card.h"\n', "does not see card,"),
    ("carve's errors under the rules", "simgpu/rules/a.cc", '// a\n#include "base/base.h"\n', "does not see base"),
    ("a room beside src", "simgpu/rules/a.cc", '// a\n#include "simgpu/state/state.h"\n', None),
    ("not its public header", "simgpu/rules/a.cc", '// a\n#include "simgpu/state/store.h"\n', "only"),
    ("a folder beside src that is no room", "simgpu/util/a.cc", "// a\n", "is no room"),
    ("CBC outside", "src/pack/a.cc", "// a\n#include <coin/CbcModel.hpp>\n", "allowed only in pack/solver"),
    ("yaml-cpp outside", "src/card/a.cc", "// a\n#include <yaml-cpp/yaml.h>\n", "allowed only in text"),
    ("CLI11 beside its file", "src/cli/a.cc", "// a\n#include <CLI/CLI.hpp>\n", "allowed only in cli/parse.cc"),
    ("CLI11 in a test", "tests/cli/a_test.cc", "#include <CLI/CLI.hpp>\n", None),
    ("CLI11 in its file", "src/cli/parse.cc", "// a\n#include <CLI/CLI.hpp>\n", None),
    ("an arrow for the linker only", "src/CMakeLists.txt", "carve_room(card SEES base pack)\n", "does not see pack"),
    ("a long file", "src/card/a.cc", "// a\n" * 501, "501 lines"),
    ("a file that is long enough", "src/card/a.cc", "// a\n" * 500, None),
    ("a long function", "src/card/a.cc", function_of(70), "a function of 73 lines"),
    ("a function that is long enough", "src/card/a.cc", function_of(67), None),
    ("a long constructor", "src/card/a.cc", function_of(80, "S::S(int a) : x(a)"), "a function of 82 lines"),
    ("a long table", "src/card/a.cc", function_of(80, "constexpr S rows[]{1, f(2)}; int t[] ="), None),
    ("a brace in a string", "src/card/a.cc", function_of(60, 'char c = \'{\'; const char* d = "{"; int f()'), None),
    ("a long line", "src/card/a.cc", "// " + "a" * 118 + "\n", "121 columns"),
    ("a long line of wide letters", "src/card/a.cc", "// " + "─" * 117 + "\n", None),
    ("no opening", "src/card/a.cc", "int a;\n" * 11, "opens with a comment"),
    ("no #pragma once", "src/card/a.h", "// a\n", "without #pragma once"),
    ("no newline", "src/card/a.cc", "// a", "no newline"),
    ("unfinished work", "README.md", "TO" "DO\n", "unfinished"),
    ("white space", "docs/a.md", "a \n", "white space"),
    ("using namespace", "src/card/a.cc", "// a\nusing namespace std;\n", "using namespace"),
    ("a shell", "src/card/a.cc", "// a\nint a = std::system(b);\n", "no shell"),
    ("a name that ends like a shell", "src/card/a.cc", "// a\nint a = file_system(b);\n", None),
    ("an unordered container", "src/card/a.cc", "// a\n#include <unordered_map>\n", "unordered"),
    ("a path of one machine", "README.md", "cd /ro" "ot/carve\n", "one machine"),
    ("a registry", "deploy/a.txt", "deb.deb" "ian.org\n", "registry"),
    ("a dead link", "README.md", "[a](docs/gone.md)\n", "docs/gone.md"),
]


def complaints_of(path, content):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**SOUND, path: content}.items():
            file = pathlib.Path(folder) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return [sentence for _, broken in tidy.complaints(folder) for sentence in broken]


def main():
    failed = 0
    for title, path, content, expected in CASES:
        found = complaints_of(path, content)
        good = not found if expected is None else len(found) == 1 and expected in found[0]
        failed += not good
        if not good:
            print(f"FAILED {title}: expected {expected!r}, got {found}")
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
