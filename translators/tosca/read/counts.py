"""Node templates with a ``count`` (TOSCA 2.0 csd06, 7.1.1 and 14): as many nodes are made of one template.

Where the instances are alike, the template stays one node that has a number of instances. Where they differ (by
``$node_index``, or because another template names one of them), and the number is written, each instance is a template
of its own: ``name_0``, ``name_1``, ... A reference without an index means the first instance (10.3, TOSCA Path)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.light import dataclass, field
from bpconvert.models.plain import tosca
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.places import entries, items, maps
from bpconvert.translators.support.text import fresh
from bpconvert.translators.tosca.functions_2_0 import ALL
from bpconvert.translators.tosca.read.making import NodeBuilder
from bpconvert.translators.tosca.read.reading import Reading

INDEX: Final = "$node_index"
#: more nodes than these are not written one by one
_MOST: Final = 100
_REFERENCES: Final = ("get_property", "get_attribute")
#: requirements that instances which are alike may have: nothing of the target is theirs alone
_SHARED: Final = ("dependency", "link")
_SECTION: Final = "node_templates"


@dataclass
class Expanded:
    """A document whose templates of differing instances are one for each. ``data``: the document; ``copies``: template
    that was made -> the one that is written; ``instances``: written template -> those that were made; ``chosen``:
    (place of a requirement, target, instance) where the document does not say which instance it names."""

    data: dict[str, Any]
    copies: dict[str, str] = field(default_factory=dict)
    instances: dict[str, list[str]] = field(default_factory=dict)
    chosen: list[tuple[Path, str, int]] = field(default_factory=list)


def expand(data: dict[str, Any], prefix: str) -> Expanded:
    """``data`` with a template for each instance where they differ; ``data`` itself where there are none. ``prefix``:
    what the names of functions begin with."""
    rows = {name: row for name, row in entries(data, _SECTION).items() if isinstance(row, dict)}
    counts = {name: row["count"] for name, row in rows.items() if is_several(row.get("count"))}
    if not counts and not any(_has_index(row) for row in rows.values()):
        return Expanded(data)
    expanded = Expanded(data)
    taken = set(rows)
    for name, count in counts.items():
        if isinstance(count, int) and 1 < count <= _MOST and _differ(name, rows, data, prefix):
            instances = expanded.instances[name] = []
            for index in range(count):
                instances.append(fresh(f"{name}_{index}", taken))
                taken.add(instances[-1])
                expanded.copies[instances[-1]] = name
    _Expansion(expanded, rows, counts, prefix).run()
    return expanded


def is_several(count: Any) -> bool:
    """True for a ``count`` that is another number than one."""
    return count is not None and (count != 1 or isinstance(count, bool))


def _differ(name: str, rows: dict[str, Any], data: dict[str, Any], prefix: str) -> bool:
    """True where the instances of a template are not alike, or others name one of them."""
    own = [(key, target) for _, key, target in _requirements(rows[name])]
    if _has_index(rows[name]) or any(key not in _SHARED or isinstance(target, list) for key, target in own):
        return True
    for other, row in rows.items():
        if other != name and any(_name_of_target(target) == name for _, _, target in _requirements(row)):
            return True
    return any(call[0] == name and call[1] != ALL for call in _calls(data, prefix))


def _has_index(value: Any) -> bool:
    if isinstance(value, dict):
        return INDEX in value or any(map(_has_index, value.values()))
    return any(map(_has_index, value)) if isinstance(value, list) else value == INDEX


def _requirements(row: dict[str, Any]) -> Iterator[tuple[int, Any, Any]]:
    """Position, name and target of each requirement of a template."""
    for index, entry in enumerate(items(row.get("requirements"))):
        for key, wanted in entry.items() if isinstance(entry, dict) else ():
            yield index, key, wanted.get("node") if isinstance(wanted, dict) else wanted


def _name_of_target(target: Any) -> Any:
    return target[0] if isinstance(target, list) and len(target) == 2 else target


def _calls(value: Any, prefix: str) -> Iterator[list[Any]]:
    """The arguments of references in a value that have a node and something of it."""
    for key, item in (row for part, _ in maps(value, ()) for row in part.items()):
        if key in [prefix + name for name in _REFERENCES] and isinstance(item, list) and len(item) > 1:
            yield item


class _Expansion:
    """Writes the templates of one document."""

    def __init__(self, expanded: Expanded, rows: dict[str, Any], counts: dict[str, Any], prefix: str) -> None:
        self.found = expanded
        self.rows = rows
        self.counts = counts
        self.calls = [prefix + name for name in _REFERENCES]

    def run(self) -> None:
        data, templates = self.found.data, {}
        for name, row in entries(data, _SECTION).items():
            if name in self.found.instances:
                for index, copy in enumerate(self.found.instances[name]):
                    templates[copy] = self._template(name, {key: row[key] for key in row if key != "count"}, index)
            elif isinstance(row, dict):
                templates[name] = self._template(name, row, None if name in self.counts else 0)
            else:
                templates[name] = row
        others = {key: self._value(item, None) for key, item in data.items()}
        for key in ("groups", "policies"):
            others |= {key: self._targets(others[key])} if key in others else {}
        self.found.data = {**others, _SECTION: templates}

    def _template(self, name: str, row: dict[str, Any], index: int | None) -> dict[str, Any]:
        template = {key: self._value(item, index) for key, item in row.items()}
        if "requirements" in row:
            template["requirements"] = self._each(name, row["requirements"], index)
        return template

    def _each(self, name: str, written: Any, index: int | None) -> Any:
        """The requirements of an instance; ``index``: its number, None where that is not known."""
        if not isinstance(written, list):
            return written
        requirements = []
        for position, entry in enumerate(written):
            place: Path = (_SECTION, name, "requirements", position)
            row = {}
            for key, wanted in entry.items() if isinstance(entry, dict) else ():
                long = isinstance(wanted, dict)
                target = self._target(name, wanted.get("node") if long else wanted, index, place)
                value = self._value(wanted, index) if long else target
                row[key] = {**value, "node": target} if long and "node" in wanted else value
            requirements.append(row if isinstance(entry, dict) else entry)
        return requirements

    def _target(self, name: str, target: Any, index: int | None, place: Path) -> Any:
        """The template that a requirement names."""
        other = _name_of_target(target)
        if not isinstance(other, str) or other not in self.rows:
            return target
        instances = self.found.instances.get(other)
        if isinstance(target, list):
            wanted = self._value(target[1], index)
            pairs = wanted == INDEX and self.counts.get(name) == self.counts.get(other)
            if instances is None:
                return other if pairs or (wanted == 0 and other not in self.counts) else [other, wanted]
            inside = isinstance(wanted, int) and 0 <= wanted < len(instances)
            return instances[wanted] if inside else [other, wanted]
        if instances is None:
            return other
        chosen = index if index is not None and self.counts.get(name) == self.counts[other] else 0
        self.found.chosen.append((place, other, chosen))
        return instances[chosen]

    def _value(self, value: Any, index: int | None) -> Any:
        if isinstance(value, dict):
            if len(value) == 1 and INDEX in value and index is not None:
                return index
            for call in self.calls:
                if len(value) == 1 and isinstance(value.get(call), list) and len(value[call]) > 1:
                    return self._reference(call, [self._value(item, index) for item in value[call]])
            return {key: self._value(item, index) for key, item in value.items()}
        if isinstance(value, list):
            return [self._value(item, index) for item in value]
        return index if value == INDEX and isinstance(value, str) and index is not None else value

    def _reference(self, call: str, argument: list[Any]) -> Any:
        """A reference with the template that it means in place of a name and an index."""
        name, selected, *following = argument
        written = isinstance(selected, int) or selected == ALL
        steps = following if written else [selected, *following]
        instances = self.found.instances.get(name) if isinstance(name, str) else None
        if instances is not None and selected == ALL:
            return [{call: [instance, *steps]} for instance in instances]
        index = selected if isinstance(selected, int) else 0
        if instances is not None and 0 <= index < len(instances):
            return {call: [instances[index], *steps]}
        if isinstance(name, str) and name in self.rows and selected == 0:
            return {call: [name, *steps]}
        if isinstance(name, str) and name in self.rows and name not in self.counts and selected == ALL:
            return [{call: [name, *steps]}]
        return {call: argument}

    def _targets(self, value: Any) -> Any:
        """Groups or policies with all instances of what they name."""
        if isinstance(value, dict):
            groups = {key: self._targets(item) for key, item in value.items()}
            for key in ("members", "targets"):
                if isinstance(value.get(key), list):
                    instance_rows = [self.found.instances.get(member, [member]) if isinstance(member, str) else [member]
                             for member in value[key]]  # fmt: skip
                    groups[key] = [member for row in instance_rows for member in row]
            return groups
        return [self._targets(item) for item in value] if isinstance(value, list) else value


def report(expanded: Expanded, findings: Reports) -> None:
    """Report the templates that are several, and which instances requirements name that do not say it."""
    for name, instances in expanded.instances.items():
        findings.report("BPC863", (_SECTION, name, "count"), name=name, nodes=", ".join(instances))
    for place, name, index in dict.fromkeys(expanded.chosen):
        findings.report("BPC864", place, name=name, index=index)


# -- instances that are alike -------------------------------------------------------------------------------------


def add_numbers(making: NodeBuilder) -> None:
    """Give the nodes the numbers of instances that their templates have."""
    for name, raw in making.raw.items():
        place, node = _place(raw.path), making.nodes.get(name)
        number = _number(making.reading, making.reading.template.node_templates[name], place)
        if node is not None and number is not MISSING and not node.is_scaled and not node.exists:
            node.instances = number
            node.origins["instances",] = place


def _place(path: Path) -> Path:
    return (*path, "count")


def _number(reading: Reading, template: tosca.NodeTemplate, place: Path) -> Value:
    """The number of instances; MISSING where it is one, or none that is known."""
    if not is_several(template.count):
        return MISSING
    value = reading.value(template.count, place)
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_count or isinstance(value, Expr) else MISSING


def is_counted(node: Node) -> bool:
    """True for a node that has the number of instances of its template, or is in the group that has it."""
    return node.origins.get(("instances",)) == _place(node.path)


def settle_software(topology: Topology, reading: Reading) -> None:
    """Software is counted with what it is hosted on: there are as many of it, or it stays one."""
    for node in topology.nodes.values():
        if node.kind is not None or not node.role or not is_counted(node):
            continue
        host = topology.node(node.host)
        if host is None or host.instances != node.instances:
            why = "software is as often there as what it is hosted on"
            reading.findings.report("BPC854", _place(node.path), what=f"'count' of '{node.name}'", why=why)
        node.instances = MISSING
