"""How one scalar is written: plain when every reader takes it for the same text, quoted or as a block otherwise.

The readers are PyYAML's pure scanner (Cloudify), PyYAML's C scanner (Heat) and ruamel.yaml's two, resolving by YAML 1.1
and by 1.2. A string is quoted when any of them would see something else in it, and never for another reason."""

from __future__ import annotations

import re
from functools import lru_cache
from math import isfinite, isnan
from typing import Final

#: Plain words that some reader takes for a boolean, null, the merge key or the value key.
_WORDS: Final = (
    "~ null Null NULL y Y n N yes Yes YES no No NO true True TRUE false False FALSE on On ON off Off OFF << ="
)
WORDS: Final = frozenset(_WORDS.split())

#: Most strings of a template; plain anywhere unless one of WORDS.
_EASY: Final = re.compile(r"[A-Za-z_/][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./()+-]+)*")

#: Numbers and timestamps as any of the readers resolves them (PyYAML and ruamel ``resolver.py``, YAML 1.2 core schema).
_TYPED: Final = re.compile(
    r"""[-+]?[0-9_]+
    |[-+]?0b[01_]+
    |[-+]?0o[0-7_]+
    |[-+]?0x[0-9a-fA-F_]+
    |[-+]?(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9_]+)(?:[eE][-+]?[0-9]+)?
    |[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?
    |[-+]?\.(?:inf|Inf|INF)
    |\.(?:nan|NaN|NAN)
    |[0-9]{4}-[0-9]{2}-[0-9]{2}
    |[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ ]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?
     (?:[ ]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?""",
    re.VERBOSE,
)

#: What a plain scalar cannot hold, besides characters that need escapes ...
_UNPLAIN: Final = re.compile(r"[ ,\[\]{}#&*!|>'\"%@`?:]|-(?: |$)|---|\.\.\.|.*(?::(?: |$)| #| $)")
#: ... and what it cannot hold between brackets: ruamel's C scanner refuses any colon, PyYAML's pure one any ``?``.
_UNPLAIN_IN_FLOW: Final = re.compile(r"[,\[\]{}:?]")

_ESCAPES: Final = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0", "\x1b": "\\e"}
#: What no reader takes literally or some read as line breaks (U+0085, U+2028, U+2029) or as a byte order mark.
_UNPRINTABLE: Final = "[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"

#: Up to this length a text with line breaks may be easier to read quoted (``"\nname="``) than as a block.
_SHORT: Final = 60


@lru_cache(maxsize=4096)
def block_scalar(text: str) -> str:
    """``text`` on one line, as a value or key outside brackets."""
    text = str.__str__(text)
    if _EASY.fullmatch(text):
        return text if text not in WORDS else f"'{text}'"
    if not text or text in WORDS or _UNPLAIN.match(text) or _TYPED.fullmatch(text) or not _printable(text):
        return quoted(text)
    return text


@lru_cache(maxsize=4096)
def flow_scalar(text: str) -> str:
    """``text`` on one line, as a value or key between ``[]`` or ``{}``."""
    plain = block_scalar(text)
    return quoted(plain) if plain == text and _UNPLAIN_IN_FLOW.search(plain) else plain


def quoted(text: str) -> str:
    """``text`` in single quotes; in double ones when it needs escapes or holds an apostrophe."""
    if not _printable(text):
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + re.sub("[^ -~]" if text.isascii() else _UNPRINTABLE, _escape, escaped) + '"'
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def _printable(text: str) -> bool:
    """Whether every character can be written as it is. (Compiling the expression takes long, so ASCII does without.)"""
    return text.isprintable() if text.isascii() else not re.search(_UNPRINTABLE, text)


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    escape = _ESCAPES.get(character)
    if escape is not None:
        return escape
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def float_text(number: float) -> str:
    """``number`` so that YAML 1.1 reads the same float: a point in the mantissa and a sign in the exponent."""
    if isfinite(number):
        text = float.__repr__(number)
        return text.replace("e", ".0e") if "e" in text and "." not in text else text
    return ".nan" if isnan(number) else ".inf" if number > 0 else "-.inf"


def literal(text: str) -> tuple[str, list[str]] | None:
    """The header (``|``, ``|-``, ``|2+`` ...) and the lines of ``text`` as a literal block, not indented.

    None when a block cannot hold it (characters that need escapes, a last line of nothing but blanks), and for short
    texts that are easier to read quoted: a single line after a line break, or a blank at the end."""
    body = text.rstrip("\n")
    last = body[body.rfind("\n") + 1 :]
    if not last.strip(" \t") or not _printable(text.replace("\n", "").replace("\t", "")):
        return None
    if len(text) <= _SHORT and (text[-1] in " \t" or (text[0] == "\n" and "\n" not in body.lstrip("\n"))):
        return None
    final_breaks = len(text) - len(body)
    header = ("|2" if text[0] in " \t\n" else "|") + ("-" if not final_breaks else "" if final_breaks == 1 else "+")
    return header, (text[:-1] if final_breaks else text).split("\n")


def folded(text: str, width: int) -> tuple[str, list[str]] | None:
    """The header (``>-`` or ``>``) and the lines of at most ``width`` characters of ``text``, one paragraph of prose.

    None when a folded block would read back differently."""
    body = text[:-1] if text.endswith("\n") else text
    if " " not in body or body[0] == " " or body[-1] == " " or "  " in body or not _printable(body):
        return None
    lines: list[str] = []
    line = ""
    for word in body.split(" "):
        if line and len(line) + len(word) >= width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    lines.append(line)
    return (">-" if body is text else ">"), lines
