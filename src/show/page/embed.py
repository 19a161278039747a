"""embed.py OUTPUT FILE...: the files as constants of C++, without comments and indentation, with their SHA-256.

A file a-b.css becomes the Asset a_b_css; assets.h declares them. FILE may be STYLE=COLOURS: then the style's colours
are written out, for readers of SVG that know no variables: the rules with the light ones, and those that have colours
again with the dark ones.
"""

import base64
import hashlib
import pathlib
import re
import sys

DARK = "@media (prefers-color-scheme: dark) {\n"


def plain(text):
    """Without comments of their own lines, indentation and empty lines: what a browser does not need."""
    text = re.sub(r"^[ \t]*/\*.*?\*/[ \t]*$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^[ \t]*//.*$", "", text, flags=re.MULTILINE)
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line) + "\n"


def written_out(style, colours):
    """The rules of a style, one a line, with literal colours."""
    light, dark = (dict(re.findall(r"--([\w-]+): ([^;]+);", part)) for part in colours.split("@media"))

    def filled(text, values):
        return re.sub(r"var\(--([\w-]+)\)", lambda match: values[match[1]], text)

    coloured = "".join(line + "\n" for line in style.splitlines() if "var(" in line)
    return filled(style, light) + DARK + filled(coloured, dark) + "}\n"


def asset(argument):
    """One constant."""
    path, _, colours = argument.partition("=")
    text = plain(pathlib.Path(path).read_text(encoding="utf-8"))
    if colours:
        text = written_out(text, pathlib.Path(colours).read_text(encoding="utf-8"))
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    name = re.sub(r"\W", "_", pathlib.Path(path).name)
    return f'const Asset {name}{{R"~~~({text})~~~", "{digest}"}};\n'


def main():
    output, *files = sys.argv[1:]
    parts = ["// Made by embed.py.\n", '#include "show/page/assets.h"\n\n', "namespace carve {\n\n"]
    parts += [asset(argument) for argument in files] + ["\n}  // namespace carve\n"]
    pathlib.Path(output).write_text("".join(parts), encoding="utf-8")


main()
