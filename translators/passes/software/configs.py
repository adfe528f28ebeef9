"""Software configurations as the scripts of operations: what they declare, and the file that holds them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import dataclass, field
from bpconvert.models.topology import Node
from bpconvert.translators.passes.software.kinds import PUBLISHED
from bpconvert.translators.passes.work import Refused, Work

_OUTPUT = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)
#: interpreter -> how its files end
_ENDS = (("python", "py"), ("bash", "sh"), ("ruby", "rb"), ("perl", "pl"), ("powershell", "ps1"), ("pwsh", "ps1"))
#: keys of an input that are about its value
_VALUE_KEYS = {"name", "type", "default"}


@dataclass(eq=False, repr=False)
class Config:
    """A configuration. ``text``: its text, as far as it is known, or the :class:`~ex.File` it is in. ``inputs``: name
    -> (declared type, default), ``outputs``: name -> whether it means failure. ``script``: its file of the bundle, ""
    where its text is only known at run time. ``is_given``: nothing is known of it but that its text is given."""

    node: Node
    text: Value
    inputs: dict[str, tuple[str, Value]] = field(default_factory=dict)
    outputs: dict[str, bool] = field(default_factory=dict)
    script: str = ""
    is_given: bool = False

    @property
    def is_computed(self) -> bool:
        """True for a text that is only known at run time."""
        return isinstance(self.text, ex.Expr) and not isinstance(self.text, ex.File)

    @property
    def path(self) -> Path:
        """The place of the text in the source."""
        return self.node.origin("config")


def read(work: Work, node: Node) -> Config:
    """The configuration as the script of a deployment; raises :class:`Refused` where it is none."""
    properties = node.properties
    if not isinstance(properties, dict) or node.external_id is not MISSING:
        raise Refused("its configuration is not written in the template")
    group = properties.get("group")
    if group not in ("script", None):
        what = f"of group '{group}'" if isinstance(group, str) else "of a group that is computed"
        raise Refused(f"its configuration is {what}, which is no script")
    text = _text(work, properties.get("config"))
    config = Config(node, text)
    for entry in _entries(properties, "inputs"):
        config.inputs[entry["name"]] = (entry.get("type") or "String", entry.get("default"))
    for entry in _entries(properties, "outputs"):
        if not _OUTPUT.fullmatch(entry["name"]):
            raise Refused(f"its output '{entry['name']}' cannot be the name of a runtime property")
        config.outputs[entry["name"]] = str(entry.get("error_output")).lower() == "true"
    return config


def config_of(work: Work, deployment: Node, wanted: Value, used: Iterable[str]) -> Config | None:
    """The configuration of a deployment that gets its id from outside, by a parameter or an output of a nested
    template: a text (see :func:`~.configurations.give_texts`); None for everything else. ``used``: the attributes of
    the deployment that something refers to."""
    if isinstance(wanted, (ex.Attribute, ex.Identity)):
        source = work.topology.node(wanted.node)
        nested = source.nested if source is not None else None
        if nested is None or (isinstance(wanted, ex.Identity) and not nested.identity):
            return None
    elif not isinstance(wanted, ex.Input):
        return None
    node = Node(deployment.name, "", "software_config", {"group": "script"}, path=deployment.path)
    outputs = {name: False for name in used if _OUTPUT.fullmatch(name) and name not in PUBLISHED}
    return Config(node, wanted, outputs=outputs, is_given=True)


def _entries(properties: dict[str, Value], name: str) -> list[dict[str, Any]]:
    entries = properties.get(name)
    if entries is None:
        return []
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise Refused(f"the {name} of its configuration are computed")
    for entry in entries:
        if not isinstance(entry.get("name"), str) or not isinstance(entry.get("type"), (str, type(None))):
            raise Refused(f"the {name} of its configuration are computed")
    return entries


def _text(work: Work, text: Value) -> Value:
    if isinstance(text, ex.File):
        if not isinstance(text.name, str):
            raise Refused("which file its script is, is computed")
        if work.request.files.read(text.name)[0] is None:
            raise Refused(f"its script '{text.name}' cannot be read")
        return text
    if isinstance(text, (int, float)):
        text = str(text)
    if text in (None, "") or not isinstance(text, (str, ex.Expr)):
        raise Refused("its configuration has no text")
    return text


def known_text(work: Work, config: Config) -> str:
    """All of the text that is known before the deployment runs."""
    if isinstance(config.text, str):
        return config.text
    if isinstance(config.text, ex.File):
        return work.request.files.read(config.text.name)[0] or ""
    return "\n".join(_texts(config.text))


def _texts(value: Value) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, ex.Expr):
        return [text for name in ex.field_names(type(value)) for text in _texts(getattr(value, name))]
    if isinstance(value, dict):
        value = [*value, *value.values()]
    return [text for item in value for text in _texts(item)] if isinstance(value, (list, tuple)) else []


def place(work: Work, config: Config) -> None:
    """Put the script into the bundle, if its text is known: a file under its own name, other texts under that of the
    configuration with a digest of the text, which keeps those of several templates in one folder apart."""
    if config.is_computed:
        return
    text = known_text(work, config)
    name = config.text.name if isinstance(config.text, ex.File) else ""
    programs = work.request.target.programs
    if not re.fullmatch(programs.operations.files, name) or name == programs.runner.path:
        digest = hashlib.sha256(text.encode()).hexdigest()[:6]
        label = re.sub(r"[^\w+@-]+", "_", work.name_of(config.node), flags=re.ASCII)
        name = f"scripts/{label}-{digest}.{_end(text)}"
    work.topology.files[name] = text
    config.script = name


def _end(text: str) -> str:
    first = text.split("\n", 1)[0]
    return next((end for word, end in _ENDS if first.startswith("#!") and word in first), "sh")


def needless_parts(config: Config) -> list[Path]:
    """The parts of a configuration that do not matter for how its script runs."""
    paths: list[Path] = []
    place = config.node.origin()
    if config.node.properties.get("options"):
        paths.append((*place, "options"))
    for name in ("inputs", "outputs"):
        for index, entry in enumerate(config.node.properties.get(name) or ()):
            needed = _VALUE_KEYS if name == "inputs" else {"name", "error_output"}
            paths += [(*place, name, index, key) for key in entry if key not in needed and entry[key] is not None]
    return paths
