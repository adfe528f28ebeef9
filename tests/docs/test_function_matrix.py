"""docs/functions.md: every cell links to a case that shows it, and no cell is empty without a reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import function_matrix as matrix
import pytest
from corpus_cases import CASES, Case
from corpus_examples import AT_ARGUMENTS, FORMS, PSEUDO, SHOWN_BY, Example, examples

from bpconvert.diagnostics import Diagnostic
from bpconvert.diagnostics.codes import CODES
from bpconvert.translators.cloudify.functions import FUNCTIONS as DSL_FUNCTIONS
from bpconvert.translators.hot.functions import FUNCTIONS
from bpconvert.yamlio.document import load

LINK = re.compile(r"\[([A-Za-z0-9 ]+)\]\(\.\./corpus/(hot|cfy)/([a-z0-9-]+)\)")
BY_NAME: Final = {(case.language, case.name): case for case in CASES}

#: the calls that never take a form, by table and form; the reasons are those of the languages
_CFN_FACTS = {"resource_facade", "Fn::ResourceFacade", "Fn::GetAZs"}
_OWN_IN_DSL = {"get_param", "get_resource", "get_attr", "map_merge", "Ref", "Fn::Base64"}
_ASKED_OF_HEAT = {
    "get_attributes_dict", "get_capability", "get_group_capability", "get_environment_capability", "get_label",
    "get_consumers",
}  # fmt: skip
_TEXTS = {"concat", "string_find", "string_replace", "string_split", "string_lower", "string_upper"}
_HOT = {function.name for function in FUNCTIONS if function.context == "value"}
_CONDITIONS = {function.name for function in FUNCTIONS if function.context == "condition"}
EMPTY: Final[dict[tuple[str, str], set[str]]] = {
    # the DSL has no function of that meaning
    ("values", "directly"): _HOT - _OWN_IN_DSL,
    # all or nothing: a part of the arguments does not give a part of the result; facts that only Heat has
    ("values", "in other words"): {
        *_CFN_FACTS, "get_file", "Fn::MemberListToMap", "Ref", "Fn::Base64",
    },
    # values of the deployment
    ("values", "computed"): {*_CFN_FACTS, "get_param", "get_resource", "get_attr", "Ref", "Fn::Base64"},
    # values of the deployment and facts of Heat
    ("values", "by a node"): {*_CFN_FACTS, "Ref", "Fn::Base64", "Fn::Join", "Fn::MemberListToMap"},
    # read away: what is said is its argument; a node computes the others wherever that is possible
    ("values", "asked for"): {"Fn::Base64", "make_url", "map_merge", "map_replace", "str_split"},
    ("values", "as text"): {
        "Fn::Base64", "Fn::Replace", "Fn::Split", "get_param", "make_url", "map_merge", "map_replace", "str_replace",
        "str_replace_strict", "str_replace_vstrict", "str_split",
    },
    # they choose among branches; only texts that are known late are compared by a node
    ("conditions", "by a node"): _CONDITIONS - {"equals"},
    ("conditions", "directly"): _CONDITIONS - {"get_param"},
    # nothing is computed without --param; a query has no form
    ("conditions", "computed"): {"get_param"},
    ("conditions", "in other words"): {"yaql"},
    # a boolean input always has a form
    ("conditions", "asked for"): {"get_param"},
    ("conditions", "as text"): {"get_param"},
    ("conditions", "always"): {"get_param"},
    ("dsl", "directly"): {*_ASKED_OF_HEAT, *_TEXTS, "get_property", "get_attributes_list", "get_secret"},
    ("dsl", "in other words"): {*_ASKED_OF_HEAT, "get_input", "get_secret", "get_sys", "merge"},
    # values of the deployment; of get_property it is the value itself, which may be a call
    ("dsl", "computed"): {name for name in DSL_FUNCTIONS if name.startswith("get_")},
    # what cannot be said in it is asked for, or written, by itself
    ("dsl", "asked for"): {"merge", *(_TEXTS - {"concat"})},
    ("dsl", "as data"): {"merge"},
    ("dsl", "as text"): {"merge"},
}  # fmt: skip


class Cell(NamedTuple):
    """A cell of the page: the table, the function, the form, and what is written."""

    table: str
    function: str
    form: str
    text: str


def cells(page: str) -> Iterator[Cell]:
    """All cells of the three tables of the matrix."""
    titles = {"HOT function": "values", "function of the DSL": "dsl"}
    for head, body in re.findall(r"^(\| .*)\n\|(?:---\|)+\n((?:\| .*\n)+)", page, re.MULTILINE):
        first, *forms = (part.strip() for part in head.strip("| ").split(" | "))
        if first not in titles:
            continue
        forms = forms[2:]
        table = "conditions" if "always" in forms else titles[first]
        for row in body.splitlines():
            name, _, in_tosca, *found = row.removeprefix("| ").removesuffix(" |").split(" | ")
            assert len(found) == len(forms), row
            assert in_tosca.strip(), row
            yield from (
                Cell(table, name.strip("`"), form, text.strip()) for form, text in zip(forms, found, strict=True)
            )


@pytest.fixture(scope="module")
def matrix_cells(pages: dict[str, str]) -> list[Cell]:
    return list(cells(pages["docs/functions.md"]))


def test_every_function_has_a_row(matrix_cells: list[Cell]) -> None:
    found = {table: list(dict.fromkeys(one.function for one in matrix_cells if one.table == table))
             for table in ("values", "conditions", "dsl")}  # fmt: skip
    assert set(found["values"]) == _HOT
    assert set(found["conditions"]) == _CONDITIONS
    assert found["dsl"] == list(DSL_FUNCTIONS)


def test_no_cell_is_empty_without_a_reason(matrix_cells: list[Cell]) -> None:
    empty = {(one.table, one.form, one.function) for one in matrix_cells if not one.text and one.form != "nearly"}
    assert empty == {(*key, name) for key, names in EMPTY.items() for name in names}


def test_cells_name_the_fidelity(matrix_cells: list[Cell]) -> None:
    said = {one.form: set() for one in matrix_cells}  # type: dict[str, set[str]]
    for one in filter(lambda cell: cell.text, matrix_cells):
        said[one.form].add(one.text.split(":")[0] if one.form == "nearly" else LINK.sub(r"\1", one.text))
    assert said == {
        "directly": {"exact"},
        "in other words": {"rewritten"},
        "computed": {"rewritten"},
        "nearly": {"approximated"},
        "by a node": {"rewritten"},
        "asked for": {"carried"},
        "as data": {"carried"},
        "as text": {"carried"},
        "always": {"carried"},
    }


def at(data: Any, path: tuple[Any, ...]) -> Any:
    """What stands at ``path``; None where it leads nowhere."""
    for step in path:
        try:
            data = data[step]
        except (LookupError, TypeError):
            return None
    return data


def calls_around(data: Any, path: tuple[Any, ...], names: set[str]) -> list[str]:
    """The functions whose calls ``path`` leads through and to, the outermost first. A call of the DSL may have a type
    beside it."""
    found = [at(data, path[:end]) for end in range(len(path) + 1)]
    keys = [[key for key in one if key != "type"] for one in found if isinstance(one, dict)]
    return [key for (key,) in (one for one in keys if len(one) == 1) if key in names]


def own(case: Case) -> list[Diagnostic]:
    """The findings of the conversion in the case's own source."""
    return [found for found in case.outcome.diagnostics if found.span.file == case.origin.document]


def conditions_at(data: Any, path: tuple[Any, ...]) -> Any:
    """The condition of the ``if`` or entry at ``path``, names of conditions resolved."""
    found = at(data, path)
    condition = found["if"][0] if isinstance(found, dict) and "if" in found else found

    def resolved(value: Any, inside: tuple[str, ...] = ()) -> Any:
        if isinstance(value, str) and value in (data.get("conditions") or {}) and value not in inside:
            return resolved(data["conditions"][value], (*inside, value))
        if isinstance(value, dict):
            return {key: resolved(item, inside) for key, item in value.items()}
        return [resolved(item, inside) for item in value] if isinstance(value, list) else value

    return resolved(condition)


def mentions(value: Any, function: str) -> bool:
    """True if a map of which ``function`` is the only key is in the value."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (isinstance(value, dict) and list(value) == [function]) or any(mentions(part, function) for part in parts)


def shows(case: Case, cell: Cell, code: str | None) -> bool:
    """True if the conversion of the case reports the form (by ``code``, where that is given) at a call of the
    function."""
    data = load(case.source.read_bytes()).data
    names = set(DSL_FUNCTIONS) if cell.table == "dsl" else _HOT | _CONDITIONS
    for found in own(case):
        if SHOWN_BY.get(found.code) not in (cell.form, "computed") and found.code not in AT_ARGUMENTS:
            continue
        if code is not None and found.code != code:
            continue
        around = calls_around(data, found.path, names)
        place = around[:-1] if found.code in AT_ARGUMENTS else around
        if place and place[-1] == cell.function:
            return True
        if cell.table == "conditions" and mentions(conditions_at(data, found.path), cell.function):
            return True
    return False


def test_pseudo_parameters_have_cases(pages: dict[str, str]) -> None:
    page = pages["docs/functions.md"].split("## Pseudo parameters")[1].split("\n## ")[0]
    rows = dict(re.findall(r"^\| `(OS::\w+)` .*/corpus/hot/([a-z-]+)\) \|$", page, re.MULTILINE))
    assert rows.keys() == {*PSEUDO}
    for name, case in rows.items():
        found = BY_NAME["hot", case]
        data = load(found.source.read_bytes()).data
        assert ("get_param", name) in {(key, value) for key, value in named(data)}, case
        assert name not in data.get("parameters", {}), case


def named(value: Any) -> Iterator[tuple[Any, Any]]:
    """Keys and values of all maps in a value, those whose values are texts."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        if isinstance(part, str):
            yield key, part
        yield from named(part)


#: function -> what the result has for it, before the name that the call names first ("" where that is not there)
SAID: Final = {
    "get_param": r"get_input: \[?'?{}", "get_resource": r"(get_attribute: \[|target: ){}", "get_attr": r"get_\w+: \[{}",
    "Ref": r"(get_attribute: \[|get_input: ){}", "map_merge": r"merge:", "Fn::Base64": r"value: {}",
    "get_input": r"get_param: \[?'?{}", "get_attribute": r"(get_attr: \[|get_resource: ){}",
    "get_sys": r"get_param: 'OS::stack_(name|id)", "merge": r"(map_merge|value):",
}  # fmt: skip


def calls_of(value: Any, function: str, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Places and arguments of the calls of a function."""
    if isinstance(value, dict) and list(value) == [function]:
        yield path, value[function]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from calls_of(part, function, (*path, key))


def is_said(case: Case, function: str) -> bool:
    """True if the source has a call of the function at which, and inside which, nothing is found, and the result says
    the same of what it names first."""
    generated = case.target.read_text("utf-8").split("\nmetadata:")[0]
    generated = re.sub(r"^  bpconvert_sidecar:.*?(?=^\S|\Z)", "", generated, flags=re.MULTILINE | re.DOTALL)
    for path, argument in calls_of(load(case.source.read_bytes()).data, function):
        first = argument[0] if isinstance(argument, list) and argument else argument
        said = SAID[function].format(re.escape(str(first)))
        quiet = not any(found.path[: len(path)] == path for found in own(case))
        if quiet and re.search(rf"\b{said}", generated):
            return True
    return False


def test_every_link_leads_to_a_case_that_shows_it(matrix_cells: list[Cell]) -> None:
    """Checked by converting the cases, by the paths of the findings; the page itself is made of the expected files."""
    wrong = []
    for one in matrix_cells:
        for text, folder, name in LINK.findall(one.text):
            case = BY_NAME.get((folder, name))
            code = text if text in CODES else None
            silent = one.form == "directly" or (one.form == "computed" and text == "exact")
            if case is None or not (is_said(case, one.function) if silent else shows(case, one, code)):
                wrong.append((one, name))
    assert wrong == []


def test_codes_of_forms_exist() -> None:
    assert SHOWN_BY.keys() | AT_ARGUMENTS <= CODES.keys()
    assert set(SHOWN_BY.values()) <= FORMS.keys()
    assert {CODES[code].fidelity for code, form in SHOWN_BY.items() if form == "nearly"} == {"approximated"}
    assert {CODES[code].fidelity for code in AT_ARGUMENTS} == {"approximated"}
    assert {CODES[code].fidelity for code, form in SHOWN_BY.items() if form in ("asked for", "as data", "as text")} == {
        "carried"
    }


SOURCE = """\
# A source.
heat_template_version: 2018-08-31
parameters: {p: {type: string}}
resources:
  port: {type: OS::Neutron::Port, properties: {name: {get_param: p}}}
outputs:
  known: {value: {list_join: [a, [b]]}}
  mac: {value: {get_attr: [port, mac_address]}}
  digest: {value: {digest: [md5, {get_attr: [port, name]}]}}
"""
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
inputs: {p: {}}
node_templates: {port: {type: cloudify.nodes.openstack.Port, properties: {resource_config: {name: {get_input: p}}}}}
outputs:
  known: {value: b}
  mac: {value: {get_attribute: [port, mac_address]}}
  digest: {value: "not converted: ..."}
"""
FOUND = """\
7:11 info BPC222 outputs.known.value 'list_join' was computed: everything it needs is known
9:12 warning BPC202 outputs.digest.value not converted: Cloudify has no counterpart of 'digest'
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of one case."""
    folder = tmp_path / "corpus/hot/one"
    folder.mkdir(parents=True)
    for name, text in (("hot.yaml", SOURCE), ("blueprint.yaml", BLUEPRINT), ("diagnostics.txt", FOUND)):
        (folder / name).write_text(text)
    return folder


def found_in(corpus: Path) -> set[tuple[str, str, str | None]]:
    return {(one.function, one.form, one.code) for one in examples(corpus.parents[2], "hot")}


def test_what_a_case_shows(corpus: Path) -> None:
    assert found_in(corpus) == {
        ("get_param", "directly", None),
        ("get_attr", "directly", None),
        ("list_join", "computed", "BPC222"),
        ("digest", "as text", "BPC202"),
    }
    assert Example("digest", "value", "as text", "BPC202", "one") in examples(corpus.parents[2], "hot")


def test_a_finding_at_another_place_shows_nothing(corpus: Path) -> None:
    (corpus / "diagnostics.txt").write_text(FOUND.replace("9:12", "8:9"))
    assert ("digest", "as text", "BPC202") not in found_in(corpus)
    (corpus / "diagnostics.txt").write_text(FOUND.replace("outputs.digest.value", "outputs.digest"))
    assert ("digest", "as text", "BPC202") not in found_in(corpus)


def test_a_result_without_the_call_shows_nothing_exact(corpus: Path) -> None:
    text = BLUEPRINT.replace("{get_input: p}", "{get_input: other}").replace("[port, mac", "[other, mac")
    (corpus / "blueprint.yaml").write_text(text)
    assert found_in(corpus) == {("list_join", "computed", "BPC222"), ("digest", "as text", "BPC202")}


def test_an_older_version_has_no_such_call(corpus: Path) -> None:
    (corpus / "hot.yaml").write_text(SOURCE.replace("2018-08-31", "2013-05-23"))
    assert not any(function == "digest" for function, *_ in found_in(corpus))


def test_a_case_of_the_name_is_chosen(root: Path) -> None:
    row = dict(
        zip(matrix.VALUE_FORMS, matrix.Cells(root, "hot").row("str_split", "value", matrix.VALUE_FORMS), strict=True)
    )
    assert row["in other words"] == "[rewritten](../corpus/hot/str-split-forms)"
