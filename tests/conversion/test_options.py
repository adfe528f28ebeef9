"""The choices of a conversion: what there is by default, what is refused, what is kept, and what one document gets."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bpconvert import Options, UsageError
from bpconvert.options import CHOICES, Choices, Nearby, chosen, wrong

DEFAULTS = {
    "carry": True,
    "dsl_version": None,
    "plugin": "v3",
    "files": "inline",
    "asked": "values",
    "client_config": "secrets",
    "templates": None,
    "allow_outside": False,
    "hot_version": None,
    "tosca_version": None,
    "types": (),
    "environments": (),
    "params": None,
    "assume_defaults": False,
    "flavors": None,
    "images": None,
    "public_network": None,
    "flavour": None,
    "orchestrator": None,
    "stages": (),
    "carry_file": False,
    "limits": None,
    "profile": False,
    "maps": (),
    "notes": True,
    "running": None,
    "find_environments": True,
    "nearby": None,
    "by_path": (),
}
#: one value that is no default of each option that says how a result is to be
OTHERS: dict[str, Any] = {
    "dsl_version": "1_4",
    "plugin": "v2",
    "files": "copy",
    "asked": "inputs",
    "client_config": "none",
    "hot_version": "2018-08-31",
    "tosca_version": "2.0",
    "params": {"size": 1},
    "assume_defaults": True,
    "flavors": {"small": {"ram": 1}},
    "images": {"cirros": {}},
    "public_network": "public",
    "flavour": "large",
    "orchestrator": "opera",
    "profile": True,
}
#: and of each that is for this machine only
LOCAL: dict[str, Any] = {
    "carry": False,
    "templates": "folder",
    "allow_outside": True,
    "stages": (("test", "test.yaml"),),
    "carry_file": True,
    "maps": (("https://host/a", "."),),
    "notes": False,
    "running": ("anything",),
    "nearby": Nearby(("a.yaml",), "/top"),
    "by_path": (("/top", "*.yaml", "a.yaml"),),
    "find_environments": False,
    "types": ("rows.yaml",),
    "environments": ("env.yaml",),
    "limits": {"steps": 5},
}


def test_what_holds_where_nothing_is_chosen() -> None:
    assert Options()._asdict() == DEFAULTS
    assert Nearby(("a",), "b") == (("a",), "b", "", False)


# -- values that options take -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("dsl_version", (None, "1_3", "1_4", "1_5")),
        ("plugin", ("v3", "v2")),
        ("files", ("inline", "copy", "keep")),
        ("asked", ("values", "data", "inputs")),
        ("client_config", ("secrets", "inputs", "none")),
        ("hot_version", (None, "2013-05-23", "2021-04-16", "icehouse", "wallaby")),
        ("tosca_version", (None, "1.3", "2.0")),
        ("orchestrator", (None, "tacker", "opera")),
    ],
)
def test_the_words_of_an_option(name: str, words: tuple[str | None, ...]) -> None:
    """The first one is the default."""
    assert [word for word in words if wrong(name, word) is not None] == []
    assert CHOICES[name][0] == words[0] == getattr(Options(), name)
    if name != "hot_version":
        assert CHOICES[name] == words
    shown = ", ".join(word for word in CHOICES[name] if word)
    assert wrong(name, "other") == f"'other' is unknown (choose from {shown})"


def test_options_with_words() -> None:
    assert {*CHOICES} == {
        "dsl_version", "plugin", "files", "asked", "client_config", "hot_version", "tosca_version", "orchestrator",
    }  # fmt: skip


@pytest.mark.parametrize("version", ["1_0", "1_1", "1_2"])
def test_versions_of_the_dsl_that_are_too_old(version: str) -> None:
    assert wrong("dsl_version", version) == (
        f"'{version}' is too old: the manager's own types.yaml cannot be imported with it (choose from 1_3, 1_4, 1_5)"
    )


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"plugin": "v4"}, "plugin: 'v4' is unknown (choose from v3, v2)"),
        ({"limits": {"steps": 0}}, "limits: steps: 0 is no number of 1 or more"),
        ({"maps": (("here", "."),)}, "maps: 'here' is no URL (https://host/folder)"),
        ({"types": "rows.yaml"}, "types: a tuple of files is expected"),
        ({"environments": Path("env.yaml")}, "environments: a tuple of files is expected"),
        ({"pluggin": "v3"}, "unknown option 'pluggin'; did you mean 'plugin'?"),
        ({"plugin": "v3", "zzz": 1}, "unknown option 'zzz'"),
    ],
)
def test_what_is_refused(choices: Any, message: str) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        chosen(None, choices)


def test_single_choices_in_place_of_others() -> None:
    assert chosen(None, {}) == Options()
    before = Options(plugin="v2", files="copy")
    assert chosen(before, {"files": "keep"}) == Options(plugin="v2", files="keep")
    assert chosen(None, {"limits": {"steps": 1}, "types": ("a.yaml",)}).limits == {"steps": 1}
    assert not Choices.__total__


# -- what is kept with a result -----------------------------------------------------------------------------


def test_what_says_how_a_result_is_to_be_is_kept() -> None:
    """Where it is no default; what is for this machine only is not."""
    assert {*OTHERS, *LOCAL} == {*DEFAULTS}
    assert Options().chosen() == {}
    assert Options(**OTHERS, **LOCAL).chosen() == OTHERS
    assert Options.kept(OTHERS, ("rows.yaml",)) == Options(**OTHERS, types=("rows.yaml",))


@pytest.mark.parametrize("name", LOCAL)
def test_what_a_record_may_not_choose(name: str) -> None:
    with pytest.raises(ValueError, match=r"^there are options that are not kept$"):
        Options.kept({**OTHERS, name: LOCAL[name]}, ())


def test_a_record_with_something_that_is_no_option() -> None:
    with pytest.raises(TypeError):
        Options.kept({"zzz": 1}, ())
    with pytest.raises(UsageError, match=r"^plugin: 'v4' is unknown"):
        Options.kept({"plugin": "v4"}, ())


def test_what_changes_a_result_and_is_not_kept() -> None:
    assert Options(**OTHERS).unkept() == []
    assert Options(**LOCAL).unkept() == ["types", "environments", "limits"]
    assert Options(limits={"steps": 5}).unkept() == ["limits"]


# -- what is decided, and what is chosen from ---------------------------------------------------------------


def test_whether_values_are_decided() -> None:
    assert Options().decides is False
    assert Options(params={}).decides is False
    assert Options(params={"size": 1}).decides is True
    assert Options(assume_defaults=True).decides is True


def test_what_a_cloud_has() -> None:
    assert Options(flavors={}).tables() == {}
    flavors, images = OTHERS["flavors"], OTHERS["images"]
    assert Options(flavors=flavors, images=images, public_network="public").tables() == {
        "flavor": flavors,
        "image": images,
        "public network": {"public": {}},
    }


# -- environments of one document ---------------------------------------------------------------------------


def test_without_environments_of_documents_nothing_is_chosen() -> None:
    options = Options(environments=("a.yaml",))
    assert options.for_path(Path("web.yaml")) is options
    assert options.for_path(None) is options


def test_environments_that_the_path_of_a_document_chooses() -> None:
    """After those that hold for all, in the order in which they are named."""
    rows = [("*.yaml", "all"), ("web.yaml", "web"), ("other.yaml", "other"), ("web.yaml/", "folder"), ("", "nothing")]
    options = Options(environments=("first",), by_path=tuple(("/top", glob, file) for glob, file in rows))
    assert options.environment_files == ["first", "all", "web", "other", "folder", "nothing"]
    assert options.for_path(Path("/top/web.yaml")) == Options(environments=("first", "all", "web"))
    assert options.for_path(Path("/elsewhere/web.yaml")) == Options(environments=("first",))
    assert options.for_path(None) == Options(environments=("first",))


def test_environments_that_are_near_to_a_document() -> None:
    near = Nearby(("a/env.yaml",), "/top")
    options = Options(nearby=near)
    assert options.environment_files == ["a/env.yaml"]
    assert options.for_path(Path("/top/a/web.yaml")).nearby == near._replace(home="/top/a")
    assert options.for_path(None).nearby is None
    elsewhere = near._replace(home="/top/b")
    assert Options(nearby=elsewhere).for_path(Path("/top/a/web.yaml")).nearby == elsewhere
    assert Options(nearby=elsewhere).for_path(None).nearby == elsewhere
    by_path = (("/top", "*.yaml", "all"),)
    assert Options(nearby=near, by_path=by_path).for_path(None) == Options()


def test_environments_that_are_found_in_a_folder() -> None:
    options = Options(allow_outside=True)
    folder = Path("/top")
    assert options.among(("env.yaml",), folder).nearby == (("env.yaml",), str(folder), "", True)
    assert Options().among(("env.yaml",), folder).nearby == (("env.yaml",), str(folder), "", False)
    assert options.among((), folder) is options
    assert options.among(("env.yaml",), None) is options
    named = Options(find_environments=False)
    assert named.among(("env.yaml",), folder) is named
