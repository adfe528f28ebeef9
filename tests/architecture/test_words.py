"""What no module may have: words of a language where nothing knows languages, names of dialects that are compared, and
more than fits on a screen."""

from __future__ import annotations

import ast
import re
from typing import Final

from syntax import functions, modules, parameters, strings

from bpconvert.translators.cloudify.functions import FUNCTIONS as DSL_FUNCTIONS
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.hot.functions import FUNCTIONS as HOT_FUNCTIONS
from bpconvert.translators.tosca.functions import FUNCTIONS as TOSCA_FUNCTIONS

#: what knows no language: rewritings ask for capabilities, and the rest is below the languages
NEUTRAL: Final = (
    "bpconvert/conversion.py", "bpconvert/files.py", "bpconvert/render.py",
    "bpconvert/yamlio",
    "models/expression_trees.py", "models/expressions.py", "models/fields.py", "models/topology.py",
    "models/plain/__init__.py", "models/repair.py",
    "translators/comparing", "translators/evaluate", "translators/passes", "translators/provenance",
    "translators/support", "translators/toscalike",
)  # fmt: skip
#: names of types and of functions of CloudFormation, which Heat has too
_TYPES: Final = re.compile(
    r"OS::|AWS::|Fn::|\bcloudify\.(nodes|relationships|interfaces|datatypes)\b|\bcloudify_|\btosca\b"
)
#: the names of the languages and their engines, in messages too: a capability has the name to use
_TITLES: Final = re.compile(r"\b(heat|hot|cloudify|cfy|tosca)\b", re.IGNORECASE)
#: top-level keys of documents that are no words of the neutral model
_SECTIONS: Final = frozenset({
    "resources", "parameters", "parameter_groups", "node_templates", "node_types", "data_types", "relationships_types",
    *(dialect.marker for dialect in DIALECTS.values()),
})  # fmt: skip
#: the functions whose names are more than one plain word, as ``if`` and ``filter`` are
_CALLS: Final = frozenset(
    name
    for name in ({function.name for function in HOT_FUNCTIONS} | DSL_FUNCTIONS.keys() | TOSCA_FUNCTIONS.keys())
    if re.search(r"_|::", name)
)
LONGEST_MODULE: Final = 500
LONGEST_FUNCTION: Final = 60
MOST_PARAMETERS: Final = 7
#: signatures of the library, which users know: each parameter is a choice of theirs that has a default
PUBLIC: Final = frozenset({"bpconvert/evaluation.py: evaluate", "bpconvert/verification.py: verify"})


def is_of_a_language(text: str) -> bool:
    """True for a string that only one language has."""
    return text in _SECTIONS or text in _CALLS or bool(_TYPES.search(text) or _TITLES.search(text))


def test_neutral_places_have_no_words_of_a_language() -> None:
    neutral = [module for module in modules() if module.is_in(*NEUTRAL)]
    assert len(neutral) > 50
    found = [
        f"{module.name}:{line}: {text!r}"
        for module in neutral
        for line, text in strings(module.tree)
        if is_of_a_language(text)
    ]
    assert found == []


def test_what_a_word_of_a_language_is() -> None:
    words = ("OS::Nova::Server", "cloudify.nodes.Root", "node_templates", "get_attr", "a type of Heat", "hot")
    assert [word for word in words if not is_of_a_language(word)] == []
    neutral = ("inputs", "nodes", "if", "filter", "hotel", "capabilities", "type", "cheating", "get_text")
    assert [word for word in neutral if is_of_a_language(word)] == []


def test_nobody_compares_the_name_of_a_dialect_with_a_literal() -> None:
    names = {*DIALECTS, "heat", "tosca"}
    found = [f"{module.name}:{node.lineno}" for module in modules() for node in comparisons(module.tree, names)]
    assert found == []


def comparisons(tree: ast.AST, names: set[str]) -> list[ast.Compare | ast.MatchValue]:
    """The comparisons with one of the ``names``, or with a collection that has one."""
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.Compare, ast.MatchValue))
        and any(text in names for _, text in strings(_operands(node)))
    ]


def _operands(node: ast.Compare | ast.MatchValue) -> ast.AST:
    """The compared values that are written there, not what subscripts and calls yield."""
    given = [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node.value]
    return ast.Tuple([one for one in given if isinstance(one, (ast.Constant, ast.Tuple, ast.Set, ast.List))])


def test_what_a_comparison_is() -> None:
    text = "a == 'hot'\n'cloudify' != b\nc in ('hot', 'x')\nmatch d:\n  case 'hot': pass\ne == f('hot')\ng['hot'] == h"
    assert [node.lineno for node in comparisons(ast.parse(text), {"hot", "cloudify"})] == [1, 2, 3, 5]


def test_no_module_is_too_long() -> None:
    assert [f"{module.name}: {module.lines}" for module in modules() if module.lines > LONGEST_MODULE] == []


def test_no_function_is_too_long() -> None:
    found = [(module.name, one) for module in modules() for one in functions(module.tree)]
    lengths = [(name, one.name, (one.end_lineno or one.lineno) - one.lineno + 1) for name, one in found]
    assert [entry for entry in lengths if entry[2] > LONGEST_FUNCTION] == []


def test_no_function_has_too_many_parameters() -> None:
    found = [
        f"{module.name}: {one.name}"
        for module in modules()
        for one in functions(module.tree)
        if len(parameters(one)) > MOST_PARAMETERS
    ]
    assert {*found} - PUBLIC == set()
    assert {*found} >= PUBLIC, "PUBLIC has more than is needed"
