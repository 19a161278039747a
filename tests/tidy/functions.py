"""The length of C++ functions, from braces alone: comments and literals are blanked, then every brace that opens
outside of a function is a scope (namespace, class), an initialiser, or a function, told apart by the text before it."""

import re

BLANK = re.compile(
    r"//[^\n]*|/\*.*?\*/"  # comments
    r'|R"(?P<mark>[^()\s\\]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'  # strings
    r"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'",  # letters, and no digit separators
    re.DOTALL,
)
SCOPE = re.compile(r"^(?:inline\s+)?(?:namespace|extern)\b|\b(?:class|struct|union|enum)\b(?![^<>]*>)[^()=]*$")
SIGNATURE = re.compile(r"\)\s*(?:const|noexcept|override|final|&&?|->[^{};]*|:[^:{};].*|\s)*$", re.DOTALL)


def blanked(text):
    """The text without comments and literals, with the same lines."""
    return BLANK.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def kind_of(head):
    """What a brace opens after this text: "scope", "function" or "other"."""
    head = re.sub(r"^\s*#[^\n]*$", "", head, flags=re.MULTILINE).strip()
    if SCOPE.search(head):
        return "scope"
    return "function" if SIGNATURE.search(head) and not re.search(r"(?<![=!<>])=(?!=)", head.split("(")[0]) else "other"


def lengths(text):
    """Yields (first line, lines) of every function that is not inside another."""
    text = blanked(text)
    open_kinds, begin_of_function, line, head_begin = [], 0, 1, 0
    for index, letter in enumerate(text):
        if letter == "\n":
            line += 1
        elif letter in ";" and "function" not in open_kinds and "other" not in open_kinds:
            head_begin = index + 1
        elif letter == "{":
            inside = "function" in open_kinds or "other" in open_kinds
            kind = "other" if inside else kind_of(text[head_begin:index])
            if kind == "function":
                head = text[head_begin:index]
                begin_of_function = line - head.strip().count("\n")
            open_kinds.append(kind)
            if kind == "scope":
                head_begin = index + 1
        elif letter == "}" and open_kinds:
            kind = open_kinds.pop()
            if kind == "function":
                yield begin_of_function, line - begin_of_function + 1
            if "function" not in open_kinds and "other" not in open_kinds and kind != "other":
                head_begin = index + 1
