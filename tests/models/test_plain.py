"""The plain checks (bpconvert.models.plain) have the verdicts and the values of the pydantic models."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

import pytest
from checkout import ROOT
from plain_models import MODULES, models

from bpconvert.diagnostics import SourceError
from bpconvert.models import cloudify, hot, tosca
from bpconvert.models.fields import Model
from bpconvert.models.plain import Plain, validate
from bpconvert.models.plain import cloudify as plain_cloudify
from bpconvert.models.plain import hot as plain_hot
from bpconvert.models.plain import tosca as plain_tosca
from bpconvert.translators.dialects import load

LANGUAGES: dict[str, type[Model]] = {
    "hot": hot.Template, "blueprint": cloudify.Blueprint, "tosca": tosca.ServiceTemplate,
}  # fmt: skip
#: what takes the place of a value
OTHERS: list[Any] = [
    None, "", "x", 0, 1, -2, 1.5, True, False, [], [1], ["a", None], [{}], {}, {"a": 1}, {1: 2}, {"type": "string"},
    {"get_input": "a"}, "central_deployment_agent", [{"pattern": "("}], {"type": 3, "extra": 1}, "UNBOUNDED",
]  # fmt: skip

#: keys that cannot do without -> a value that is right
NEEDED: dict[str, Any] = {
    "members": ["a"], "targets": ["a"], "values": ["a"], "parameters": ["a"], "deploy": 1, "executor": "host_agent",
}  # fmt: skip


def plain_of(model: type[Model]) -> type[Plain]:
    module = import_module(model.__module__.replace("bpconvert.models.", "bpconvert.models.plain."))
    found: type[Plain] = getattr(module, model.__name__)
    return found


def as_data(value: Any) -> Any:
    """A model of either kind as plain data, with what was written and further keys."""
    if isinstance(value, (Model, Plain)):
        fields = {name: as_data(part) for name, part in value.__dict__.items()}
        return type(value).__name__, fields, sorted(value.model_fields_set), value.model_extra
    if isinstance(value, dict):
        return {key: as_data(part) for key, part in value.items()}
    return [as_data(part) for part in value] if isinstance(value, list) else value


def verdict(check: Any, raw: Any) -> Any:
    """What a model makes of ``raw``, None when it refuses it."""
    try:
        return as_data(check(raw))
    except ValueError:
        return None
    except TypeError as error:
        return str(error)


def assert_same(model: type[Model], raw: Any) -> bool:
    expected, found = verdict(model.model_validate, raw), verdict(plain_of(model).checked, raw)
    assert repr(found) == repr(expected), raw  # repr: 1 is not True
    return expected is not None


def documents(language: str) -> Iterator[Any]:
    for place in sorted((ROOT / "corpus").glob(f"*/*/{language}.yaml")):
        with suppress(SourceError):
            data = load(place.read_bytes(), place.name).data
            if isinstance(data, dict):
                yield data


def mutated(data: Any, draw: random.Random) -> Any:
    """``data`` with one value changed, taken away, added, or under another key; what is not changed is shared."""
    if not isinstance(data, (dict, list)) or not data or draw.random() < 0.15:
        return draw.choice(OTHERS)
    copy: Any = dict(data) if isinstance(data, dict) else list(data)
    key = draw.choice([*copy] if isinstance(copy, dict) else range(len(copy)))
    step = draw.random()
    if step < 0.06:
        del copy[key]
    elif step < 0.12 and isinstance(copy, dict):
        copy[draw.choice(["odd", 3, None, "description", "type", "constraints", "interfaces"])] = draw.choice(OTHERS)
    else:
        copy[key] = mutated(copy[key], draw)
    return copy


@pytest.mark.parametrize("language", LANGUAGES)
def test_documents_have_the_same_verdicts(language: str) -> None:
    found = list(documents(language))
    assert len(found) > 50
    draw = random.Random(29)
    verdicts = []
    for data in found:
        verdicts.append(assert_same(LANGUAGES[language], data))
        for _ in range(25):
            other = data
            for _ in range(draw.choice((1, 1, 2, 4))):
                other = mutated(other, draw)
            verdicts.append(assert_same(LANGUAGES[language], other))
    assert 0.1 < sum(verdicts) / len(verdicts) < 0.9


@pytest.mark.parametrize("model", [one for name in MODULES for one in models(name)], ids=lambda model: model.__name__)
def test_every_key_of_every_model_has_the_same_verdicts(model: type[Model]) -> None:
    needed = {
        field.alias or name: NEEDED.get(name, "string")
        for name, field in model.model_fields.items()
        if field.is_required()
    }
    assert assert_same(model, needed)
    for name, field in model.model_fields.items():
        assert_same(model, {key: value for key, value in needed.items() if key != (field.alias or name)})
        for value in OTHERS:
            assert_same(model, {**needed, field.alias or name: value})
            assert_same(model, {**needed, field.alias or name: {"a": value}})
            assert_same(model, {**needed, field.alias or name: [value]})
    for raw in (*OTHERS, {**needed, "odd": 1}, {**needed, 1: 2}):
        assert_same(model, raw)


def test_class_values_are_those_of_the_models() -> None:
    for model in (one for name in MODULES for one in models(name)):
        plain = plain_of(model)
        for name in ("NOUN", "KEY", "SINCE", "SHORT", "NULLABLE"):
            assert getattr(plain, name) == getattr(model, name), (model, name)


@pytest.mark.parametrize(
    ("model", "section"),
    [(plain_hot.Template, "resources"), (plain_cloudify.Blueprint, "outputs"), (plain_tosca.ServiceTemplate, "groups")],
)
@pytest.mark.parametrize("name", [None, 1, True, 1.5])
def test_a_name_that_is_no_text_takes_nothing_along(model: type[Plain], section: str, name: Any) -> None:
    """Errors have names as texts: null is called as a text 'None' beside it. The same errors came for ever."""
    good = {"value": 1} if section == "outputs" else {"type": "x"}
    read, problems = validate(model, {section: {name: None, str(name): None, "good": good}})
    assert [*getattr(read, section)][-1] == "good"
    assert [one.path for one in problems if "names must be text" in one.text] == [(section, name)]
