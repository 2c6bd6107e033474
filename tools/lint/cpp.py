"""As much of C++ as the lint needs: text without comments and literals, includes, and where functions end."""
import collections
import re

Include = collections.namedtuple("Include", "line header angled")
Function = collections.namedtuple("Function", "first_line last_line")

_TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/'  # comments
    r'|R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'",  # not the separator of 1'000
    re.DOTALL,
)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE | re.DOTALL)


def _blank(match):
    text = match.group(0)
    if text.startswith("/"):
        return re.sub(r"[^\n]", " ", text)
    return '"' + re.sub(r"[^\n]", " ", text[1:-1]) + '"'


def code(text):
    """The text with comments and the insides of literals blanked; lines stay where they are."""
    return _TOKEN.sub(_blank, text)


def without_comments(text):
    """The text with comments blanked and literals kept."""
    return _TOKEN.sub(lambda m: _blank(m) if m.group(0).startswith("/") else m.group(0), text)


def line_at(text, offset):
    """The number of the line that an offset is in."""
    return text.count("\n", 0, offset) + 1


def includes(text):
    """The #include lines, in order."""
    plain = without_comments(text)
    return [Include(line_at(plain, m.start()), m.group(2), m.group(1) == "<") for m in _INCLUDE.finditer(plain)]


def functions(text):
    """The function bodies at namespace or class scope; lambdas and blocks are part of theirs."""
    plain = _DIRECTIVE.sub(_blank_directive, code(text))
    found = []
    scopes = []  # "outer" for namespaces and types, a first line for functions, None for the rest
    start = 0
    for match in re.finditer(r"[{};]", plain):
        token = match.group(0)
        if token == "{":
            scopes.append(_scope(plain, start, match.start(), scopes))
        elif token == "}" and scopes:
            scope = scopes.pop()
            if isinstance(scope, int):
                found.append(Function(scope, line_at(plain, match.start())))
        start = match.end()
    return found


def _blank_directive(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def _scope(plain, start, end, scopes):
    if scopes and scopes[-1] != "outer":
        return None
    head = plain[start:end]
    words = set(re.findall(r"\w+", head.split("(")[0]))
    if words & {"namespace", "extern"} and "(" not in head:
        return "outer"
    if words & {"class", "struct", "union"} and not re.search(r"\)\s*(const|noexcept|override|final)?\s*$", head):
        return "outer"
    # An initializer, `Type x{` or `= {`, is no function; a body follows the closing parenthesis of its parameters.
    if "(" not in head or re.search(r"=\s*$", head):
        return None
    return line_at(plain, start + len(head) - len(head.lstrip()))
