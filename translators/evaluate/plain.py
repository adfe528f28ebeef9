"""The functions over values that are known, as the engines compute them, and calls of them as plain data.

This module is also a program: a result carries it where its engine cannot compute a value (see :func:`computed`). So it
imports the standard library only, and runs with Python 3.6 and later.

The functions raise TypeError, ValueError, KeyError or IndexError for what the engine refuses
(heat/engine/hot/functions.py; dsl_parser/functions.py)."""

import json
from itertools import product
from typing import Any


class Absent:
    """Nothing: an argument that was not written, an entry that is left out."""


ABSENT: Any = Absent()


def shown(value: Any) -> str:
    """A value as messages show it."""
    return repr(value)[:200]


# -- text ---------------------------------------------------------------------------------------------------


def to_json(value: Any) -> str:
    """A map or list as the JSON text that HOT's text functions write: sorted keys, ASCII."""
    return json.dumps(value, sort_keys=True)


def join_text(item: Any, json_items: bool = True) -> str:
    """The text of an item of ``list_join``."""
    if item is None:
        return ""
    if isinstance(item, str):
        return item
    if json_items and isinstance(item, (dict, list)):
        return to_json(item)
    allowed = "string, map or list" if json_items else "strings"
    raise TypeError(f"Items to join must be {allowed} not {shown(item)}")


def is_joined(items: Any, json_items: bool = True) -> bool:
    """False for what ``list_join`` skips."""
    if items is None or (json_items and not items):
        return False
    if not isinstance(items, list):
        raise TypeError('"list_join" must operate on a list')
    return True


def join(delimiter: Any, lists: Any, json_items: bool = True) -> str:
    """``list_join``."""
    if not isinstance(delimiter, str):
        raise TypeError('"list_join" delimiter must be a string')
    joined = [items for items in lists if is_joined(items, json_items)]
    return delimiter.join(join_text(item, json_items) for items in joined for item in items)


def replacement(value: Any, key: str, json_values: bool = True, empty: bool = True) -> str:
    """The text that ``str_replace`` puts for a value. ``empty``: whether empty values are allowed."""
    if not empty and (value is None or value in ("", [], {})):
        raise ValueError(f"str_replace has an undefined or empty value for param {key}")
    if value is None:
        return ""
    if isinstance(value, (str, int, float)):
        return str(value)
    if json_values and isinstance(value, (dict, list)):
        return to_json(value)
    raise TypeError(f"str_replace params must be strings or numbers, param {key} is not valid")


def replace(template: Any, params: Any, strictness: int = 0, json_values: bool = True) -> str:
    """``str_replace``: the longest keys first, and no value is looked at again."""
    if not isinstance(template, str):
        raise TypeError("str_replace template must be a string")
    if not isinstance(params, dict):
        raise TypeError("str_replace params must be a map")
    for key in params:
        if not isinstance(key, str):
            raise TypeError(f"str_replace param placeholders must be strings, not {key!r}")
    parts = [(template, False)]
    unmatched = []
    for key in sorted(sorted(params), key=len, reverse=True):
        value = replacement(params[key], key, json_values, strictness < 2)
        found = []
        for text, is_value in parts:
            pieces = [text] if is_value else text.split(key)
            for place, piece in enumerate(pieces):
                found += [(value, True), (piece, False)] if place else [(piece, is_value)]
        if len(found) == len(parts):
            unmatched.append(key)
        parts = found
    if strictness and unmatched:
        raise ValueError(f"The following params were not found in the template: {','.join(unmatched)}")
    return "".join(text for text, _ in parts)


def a_text(value: Any) -> str:
    """``value``, which must be a text."""
    if not isinstance(value, str):
        raise TypeError(f"must be a text, not {value!r}")
    return value


def split(delimiter: Any, text: Any, index: Any = ABSENT, strict: bool = False) -> Any:
    """``str_split``, or with ``strict`` ``string_split``."""
    if strict:
        pieces: Any = a_text(text).split(a_text(delimiter))
        place = None if index is ABSENT else index
        if place and not isinstance(place, int):
            raise TypeError(f"the index of a split must be an integer, not {place!r}")
        return pieces if place is None else pieces[place]
    if text is None:
        return None
    pieces = text.split(delimiter)
    return pieces if index is ABSENT else pieces[int(index)]


def string_replace(text: Any, old: Any, new: Any, count: Any = ABSENT) -> str:
    """``string_replace``."""
    if count is ABSENT or count is None:
        return a_text(text).replace(a_text(old), a_text(new))
    return a_text(text).replace(a_text(old), a_text(new), count)


def base64(text: Any) -> str:
    """A text in UTF-8 as base64."""
    from base64 import b64encode

    return b64encode(a_text(text).encode("utf-8")).decode("ascii")


def digest(algorithm: Any, text: Any) -> str:
    """``digest``: the hex digest of the latin-1 bytes."""
    import hashlib

    if not (isinstance(algorithm, str) and isinstance(text, str)):
        raise TypeError('Argument to function "digest" must be a list of strings')
    if algorithm.lower() not in hashlib.algorithms_available:
        raise ValueError(f"Algorithm must be one of {sorted(hashlib.algorithms_available)}")
    return hashlib.new(algorithm, text.encode("latin-1")).hexdigest()


def check_url(parts: Any, unknown: Any = ()) -> None:
    """The engine's check of the parts of a URL; it ends at ``query``, so that a fragment beside it is not looked at.
    ``unknown``: the classes of values that are not known yet."""
    for name in ("scheme", "username", "password", "host", "port", "path", "query", "fragment"):
        value = parts.get(name, ABSENT)
        if value is ABSENT or isinstance(value, unknown):
            if name == "query" and value is not ABSENT:
                return
        elif name == "query":
            if not isinstance(value, dict):
                raise TypeError('The "query" argument to "make_url" must be a map')
            return
        elif name == "port":
            if not 0 < int(value) <= 65535:
                raise ValueError(f"Invalid URL port {value}, must be in range 1-65535")
        elif not isinstance(value, str):
            raise TypeError(f'The "{name}" argument to "make_url" must be a string')


def make_url(parts: Any) -> str:
    """The URL that ``make_url`` builds from checked parts."""
    from urllib.parse import quote, urlencode, urlunsplit

    scheme = parts.get("scheme", "")
    if ":" in scheme:
        raise ValueError("URL \"scheme\" should not contain ':'")
    username, password = quote(parts.get("username", ""), safe=""), quote(parts.get("password", ""), safe="")
    user = ""
    if username or password:
        user = username + (f":{password}" if password else "") + "@"
    host = parts.get("host", "")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    host = quote(host, safe=":")
    if ":" in host:
        host = f"[{host}]"
    port = parts.get("port", "")
    query = urlencode(parts.get("query", {})).replace("%2F", "/")
    netloc = f"{user}{host}" + (f":{port}" if port else "")
    path, fragment = quote(parts.get("path", "")), quote(parts.get("fragment", ""))
    return str(urlunsplit((scheme, netloc, path, query, fragment)))


def url(parts: Any) -> str:
    """``make_url``."""
    if not isinstance(parts, dict):
        raise TypeError('The arguments to "make_url" must be a map')
    check_url(parts)
    return make_url(parts)


# -- lists and maps -----------------------------------------------------------------------------------------


def merge(maps: Any, strict: bool = False) -> Any:
    """``map_merge``, or with ``strict`` ``merge``."""
    if not isinstance(maps, list) and maps != "":
        raise TypeError("Incorrect arguments: a list of maps is needed")
    merged = {}
    for item in maps:
        if item is None and not strict:
            continue
        if not isinstance(item, dict) and not strict:
            raise TypeError(f"Items to merge must be maps. {shown(item)} is {type(item)} instead of a dict")
        merged.update(item)
    return merged


def as_map(value: Any) -> Any:
    """An argument of ``map_replace``."""
    if value is None or value is ABSENT:
        return {}
    if not isinstance(value, dict):
        raise TypeError('Incorrect arguments: to "map_replace", arguments must be a list of maps')
    return value


def map_replace(source: Any, keys: Any, values: Any, fixed: Any = (dict, list)) -> Any:
    """``map_replace`` of maps. ``fixed``: classes of values that no other value takes the place of."""
    result = {}
    for old, value in source.items():
        key = keys.get(old)
        if key is None:
            key = old
        elif key in source and key != old:
            raise ValueError(f"key replacement {key} collides with a key in the input map")
        elif key in result:
            raise ValueError(f"key replacement {key} collides with a key in the output map")
        result[key] = value if isinstance(value, fixed) else values.get(value, value)
    return result


def unique(items: Any) -> Any:
    """A list without repetitions."""
    found = []
    for item in items:
        if item not in found:
            found.append(item)
    return found


def list_concat(lists: Any, is_unique: bool = False) -> Any:
    """``list_concat``, ``list_concat_unique``."""
    if not isinstance(lists, list):
        raise TypeError("Incorrect arguments: a list of lists is needed")
    found = []
    for items in lists:
        if items is not None and not isinstance(items, list):
            raise TypeError(f"Items to concat must be lists, not {shown(items)}")
        found += items or []
    return unique(found) if is_unique else found


def filtered(values: Any, items: Any) -> Any:
    """``filter``."""
    if not items:
        return items
    if not isinstance(items, list):
        raise TypeError('"filter" only works with lists')
    if not values:
        return items
    if not isinstance(values, list):
        raise TypeError('"filter" filters a list of values')
    return [item for item in items if item not in values]


def select(index: Any, source: Any, name: str = "select") -> Any:
    """One item of a list, map or JSON text; ``name``: what the engine calls the function."""
    if isinstance(source, str):
        if source == "":
            return ""
        source = json.loads(source)
    if isinstance(source, dict):
        if not isinstance(index, str):
            raise TypeError(f'Index to "{name}" must be a string')
        return source.get(index, "")
    if isinstance(source, list):
        try:
            position = int(index)
        except (ValueError, TypeError):
            raise TypeError(f'Index to "{name}" must be an integer') from None
        try:
            return source[position]
        except IndexError:
            return ""
    if source is None:
        return ""
    raise TypeError(f"Arguments to {name} not fully resolved")


def substituted(template: Any, pairs: Any) -> Any:
    """``template`` with each variable of ``pairs`` replaced in its texts."""
    if isinstance(template, str):
        for variable, item in pairs:
            template = template.replace(variable, item)
        return template
    if isinstance(template, list):
        return [substituted(item, pairs) for item in template]
    if isinstance(template, dict):
        return {substituted(key, pairs): substituted(value, pairs) for key, value in template.items()}
    return template


def repeat(template: Any, for_each: Any, permutations: Any = True) -> Any:
    """``repeat``."""
    if not isinstance(for_each, dict):
        raise TypeError('The "for_each" argument to "repeat" must contain a map')
    if not for_each:
        raise ValueError('"for_each" of "repeat" is empty')
    loops: Any = []
    lengths = set()
    for items in for_each.values():
        if items is not None and not isinstance(items, (list, dict) if permutations else list):
            raise TypeError('The values of the "for_each" argument to "repeat" must be lists')
        loops.append(list(items or []))
        if items is not None:
            lengths.add(len(items))
    if not permutations and len(lengths) > 1:
        raise ValueError("For repeat, the length of for_each values should be equal if no nested loop.")
    rounds = product(*loops) if permutations else zip(*loops)  # noqa: B905 (there is no such argument in Python 3.6)
    return [substituted(template, list(zip(for_each, items))) for items in rounds]  # noqa: B905


def contains(value: Any, sequence: Any) -> bool:
    """``contains``."""
    if not isinstance(sequence, (str, list)):
        raise TypeError('Second argument to "contains" should be a sequence.')
    return value in sequence


# -- parts --------------------------------------------------------------------------------------------------


def walk_leniently(value: Any, keys: Any, absent: Any, convert: bool) -> Any:
    """Follow ``keys`` through maps, lists and texts; ``absent`` when a step fails. ``convert``: a text is an index if
    it is a number (``get_param``; ``get_attr`` does not)."""
    try:
        for key in keys:
            if not isinstance(key, (str, int)) or not isinstance(value, (dict, list, str)):
                return absent
            if convert and isinstance(key, str) and not isinstance(value, dict):
                key = int(key)
            value = value[key]
    except (KeyError, IndexError, TypeError, ValueError):
        return absent
    return value


# -- calls as data ------------------------------------------------------------------------------------------


def holds(value: Any) -> bool:
    """A decided condition."""
    if value is not None and not isinstance(value, bool):
        raise ValueError(f'Invalid condition "{value}"'[:300])
    return value is not False


#: the calls whose arguments are all computed before
FUNCTIONS: Any = {
    "Join": lambda delimiter, lists, json_items=True: join(delimiter, lists, json_items),
    "Concat": lambda items: "".join(map(str, items)),
    "Replace": replace,
    "StringReplace": string_replace,
    "Split": split,
    "Find": lambda text, part: a_text(text).find(a_text(part)),
    "Lower": lambda text: a_text(text).lower(),
    "Upper": lambda text: a_text(text).upper(),
    "Digest": digest,
    "Base64": base64,
    "Url": url,
    "Merge": merge,
    "MapReplace": lambda map, keys=None, values=None: map_replace(as_map(map), as_map(keys), as_map(values)),
    "ListConcat": lambda lists, unique=False: list_concat(lists, unique),
    "Filter": filtered,
    "Repeat": repeat,
    "Select": select,
    "Equals": lambda left, right: bool(left == right),
    "Contains": contains,
}
#: those that decide which of their arguments are computed, and conditions of conditions
CHOICES: Any = ("If", "Not", "And", "Or")
#: all of them, and what is given, as keys of data
KEYS: Any = frozenset(["$" + name for name in [*FUNCTIONS, *CHOICES, "Input"]])


def computed(call: Any, values: Any) -> Any:
    """What a call yields.

    Args:
        call: plain data. A map with the only key ``$Join`` is a call of that name, its value has the arguments, and
            ``$$x`` stands for the key ``$x`` of a map. ``$Input`` is one of ``values``, or the part of it at ``keys``.
        values: name -> value."""
    found = _item(call, values)
    return None if found is ABSENT else found


def _item(data: Any, values: Any) -> Any:
    """A value, ABSENT where it is left out of what it is in."""
    if isinstance(data, list):
        items = [_item(part, values) for part in data]
        return [item for item in items if item is not ABSENT]
    if not isinstance(data, dict):
        return data
    if len(data) == 1:
        ((name, arguments),) = data.items()
        if isinstance(name, str) and name.startswith("$") and not name.startswith("$$"):
            return _call(name[1:], arguments, values)
    pairs = [(key, _item(part, values)) for key, part in data.items()]
    plain = ((key[1:] if isinstance(key, str) and key.startswith("$") else key, part) for key, part in pairs)
    return {key: part for key, part in plain if part is not ABSENT}


def _call(name: str, arguments: Any, values: Any) -> Any:
    if name == "If":
        branch = "then" if holds(computed(arguments["condition"], values)) else "otherwise"
        return _item(arguments[branch], values) if branch in arguments else ABSENT
    if name == "Not":
        return not holds(computed(arguments["operand"], values))
    if name in ("And", "Or"):
        decided = [computed(one, values) for one in arguments["operands"]]
        for one in decided:
            if holds(one) is (name == "Or"):
                return name == "Or"
        return name == "And"
    if name == "Input":
        keys = [computed(key, values) for key in arguments.get("keys", ())]
        return walk_leniently(values[arguments["name"]], keys, "", True)
    given = {argument: _item(part, values) for argument, part in arguments.items()}
    if name != "Split":  # which counts its arguments
        given = {argument: None if part is ABSENT else part for argument, part in given.items()}
    return FUNCTIONS[name](**given)
