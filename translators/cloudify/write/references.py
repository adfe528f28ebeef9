"""What a reference to a resource becomes: the id attribute, a runtime attribute, or a property of its node."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue import stand_ins
from bpconvert.translators.catalogue.model import AttributeRule, Kind
from bpconvert.translators.cloudify import hooks
from bpconvert.translators.cloudify.openstack import cloud_config, connections, generation2
from bpconvert.translators.cloudify.write import components
from bpconvert.translators.cloudify.write.rewriter import DslRewriter
from bpconvert.translators.passes.expressions import branches
from bpconvert.translators.passes.expressions.kinds import INSTANCE_NUMBER, MEMBER_INDEX, VALUE, is_number_of_member
from bpconvert.translators.passes.expressions.rewriter import Unsupported
from bpconvert.translators.passes.software.kinds import CONFIGS, DEPLOYMENT, DEPLOYMENT_GROUP
from bpconvert.translators.support.text import is_uuid

#: attributes with lists -> how many steps lead to the list. A text selects nothing there, also '0'
#: (heat/engine/attributes.py, ``select_from_attribute``)
_LISTS: Final = {
    "addresses": 1, "networks": 1,
    **dict.fromkeys(("fixed_ips", "allocation_pools", "host_routes", "dns_nameservers", "subnets", "tags"), 0),
}  # fmt: skip


#: kinds of nodes that nothing gives an id in Cloudify
_PROGRAMS: Final = (DEPLOYMENT, DEPLOYMENT_GROUP)
#: kinds of nodes whose id is that of a text in Heat
_CONFIGURATIONS: Final = frozenset({cloud_config.KIND, *CONFIGS})


def _is_name(expr: ex.Attribute, kind: Kind) -> bool:
    """True for the name of a resource, of all that OpenStack's API shows of it (heat: resource.py, ``SHOW``): the
    plugin keeps it of every one (openstack_plugin/utils.py, ``set_runtime_properties_from_resource``)."""
    return expr.name == "show" and expr.keys == ("name",) and kind.cloudify is not None and not kind.cloudify.plain


class References:
    """The references to nodes in the values of one template."""

    def __init__(self, rewriter: DslRewriter) -> None:
        self._rewriter = rewriter
        self.topology = rewriter.context.topology
        self.catalogue = rewriter.context.catalogue
        self.generation2 = rewriter.context.generation2
        self.report = rewriter.context.reporter.report
        self.node_name = rewriter.context.names.node
        self.rewrite = rewriter.rewrite
        self.is_held_elsewhere = rewriter.is_held_elsewhere

    def identity(self, expr: ex.Identity) -> Value:
        """``get_resource``."""
        node = self._node(expr)
        composed = connections.composed_id(node, expr.path)
        if composed is not MISSING:
            self.report("BPC223", expr.path, name="get_resource", how="`concat` of the ids that Heat makes it of")
            return self.rewrite(composed, expr.path)
        if node.kind == VALUE:
            self.report(
                "BPC309", expr.path, note=f"the id of '{node.name}' ends with its name, in Heat with random text"
            )
            return self.rewrite(ex.Concat((ex.System("deployment.name"), f"-{node.name}"), path=expr.path), expr.path)
        draft = self.topology.owner(node.name)
        owner = self.topology.nodes.get(draft)
        kind = self.catalogue.kind(owner.kind) if owner is not None else None
        if draft != node.name and not connections.shares_id(node, self.catalogue.kind(node.kind)):
            self.report("BPC304", expr.path, name=node.name, target=draft)
        if owner is not None and owner.stand_in:
            self._no_value(expr, node.name, "id")
        if owner is None or owner.stand_in or kind is None or kind.cloudify is None:
            return ex.Attribute(self.node_name(draft), "id", path=expr.path)
        if owner.kind in _PROGRAMS:
            self.report("BPC309", expr.path, note=f"the id of '{node.name}' is made of its name, in Heat it is a UUID")
            return self.rewrite(ex.Concat((ex.System("deployment.name"), f"-{node.name}"), path=expr.path), expr.path)
        if owner.nested is not None:
            self._configuration(owner.nested.identity_kinds, node.name, expr.path)
            return components.identity(self, node, expr.path)
        self._configuration({kind.kind}, node.name, expr.path)
        if not kind.identity:
            raise Unsupported(f"nothing identifies '{node.name}' in Cloudify")
        return self.runtime(draft, kind, kind.identity, (), expr)

    def _configuration(self, kinds: Collection[str], name: str, path: Path) -> None:
        """Report where the id of a configuration becomes its text, and something else than user data takes it."""
        if not _CONFIGURATIONS.isdisjoint(kinds) and not cloud_config.takes_text(path):
            nested_identity = self._rewriter.context.request.source.nested_identity
            code = "BPC698" if path[:2] == ("outputs", nested_identity) else "BPC718"
            self.report(code, path, name=name)

    def attribute(self, expr: ex.Attribute) -> Value:
        """``get_attr``."""
        node = self._node(expr)
        if is_number_of_member(self.topology, expr):
            exact = self._rewriter.member_index(node.name, expr.path) if expr.name == MEMBER_INDEX else None
            return exact or ex.Attribute(self.node_name(node.name), INSTANCE_NUMBER, path=expr.path)
        keys = tuple(self.rewrite(k, expr.path) for k in expr.keys)
        self._rewriter.note_indices(keys)
        place = _LISTS.get(expr.name, len(keys)) if isinstance(expr.name, str) else len(keys)
        if place < len(keys) and self._rewriter.kind(keys[place]) == "text" and node.nested is None:
            self.report("BPC716", expr.path, name=node.name)
            return None
        self._require_name(node, expr)
        value = self._of_node(node, expr, keys)
        return self._by_rule(node, expr, keys) if value is MISSING else value

    def _require_name(self, node: Node, expr: ex.Attribute) -> None:
        """Raises :class:`Unsupported` for an attribute whose name a blueprint cannot have."""
        if expr.name is MISSING:
            raise Unsupported("Cloudify cannot give all attributes at once")
        if not isinstance(expr.name, str):
            raise Unsupported("the attribute's name is computed")
        if not expr.name.isascii() and (node.nested is None or node.stand_in):
            raise Unsupported("names in a blueprint are ASCII")

    def _of_node(self, node: Node, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
        """An attribute that the node itself gives, whatever its type is; MISSING for others."""
        own = ex.Attribute(self.node_name(node.name), expr.name, keys, path=expr.path)
        if any(expr.name in operation.outputs for operation in node.operations):
            return own
        if node.stand_in:
            property_value = self._shown_by(node, str(expr.name)) if not keys else None
            if property_value is not None and self._rewriter.inert != "node":
                return self.rewrite(property_value, expr.path)
            self._no_value(expr, node.name, f"attribute '{expr.name}'")
            return own
        if node.nested is not None:
            return components.attribute(self, node, expr, keys)
        return own if expr.name in node.published else MISSING

    def _by_rule(self, node: Node, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
        """An attribute by its row in the catalogue."""
        kind = self.catalogue.kind(node.kind)
        rule = kind.attributes.get(str(expr.name)) if kind else None
        own = self.topology.owner(node.name) == node.name
        if kind is not None and rule is None and own and _is_name(expr, kind):
            return self.runtime(node.name, kind, "name", (), expr)
        if kind is None or rule is None or kind.cloudify is None:
            raise Unsupported(f"the Cloudify node has no counterpart of attribute '{expr.name}' of {node.source_type}")
        if rule.hook:
            return hooks.ATTRIBUTES[rule.hook](self, node, expr, keys)
        if rule.reference:
            return self._referred(node, kind, rule.reference, expr, keys)
        if rule.property:
            return self.property(node, rule, expr, keys)
        if rule.note:
            self.report("BPC309", expr.path, note=rule.note)
        return self.runtime(node.name, kind, rule.to or "", keys, expr)

    def _referred(self, node: Node, kind: Kind, role: str, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
        """An attribute that yields what property ``role`` refers to."""
        property_value = node.properties.get(role)
        if property_value is None or keys:
            raise Unsupported(f"attribute '{expr.name}' is not set by a property")
        existing = self._existing(kind, role, property_value, node)
        if existing is not None:
            return self.identity(ex.Identity(existing.name, path=expr.path))
        if not isinstance(property_value, (ex.Identity, ex.Attribute)) and not is_uuid(property_value):
            title = self._rewriter.request.source.title
            note = f"'{expr.name}' is '{role}' as the template gives it"
            self.report("BPC309", expr.path, note=f"{note}; {title} has the id, also for a name")
        return self.rewrite(property_value, expr.path)

    def _shown_by(self, node: Node, attribute: str) -> Value:
        """The property of a stand-in that an attribute has the value of; None for other attributes."""
        loss = stand_ins.loss(self.topology.dialect, [node.source_type])
        name = loss.gives.get(attribute) if loss is not None and loss.gives else None
        return node.properties.get(name) if name and isinstance(node.properties, dict) else None

    def _no_value(self, expr: ex.Expr, name: str, what: str) -> None:
        """Report that a stand-in gives nothing, where only an output or a stand-in uses it; raises
        :class:`Unsupported` where a node would be deployed with it."""
        node = self.topology.nodes.get(name)
        owner = "" if node is not None and node.role else "stand-in "
        if not self._rewriter.inert:
            raise Unsupported(f"the {what} of {owner}'{name}' has no value", name)
        code = "BPC794" if self._rewriter.inert == "node" else "BPC305"
        self.report(code, expr.path, name=name, what=what, owner=owner)

    def _existing(self, kind: Kind, role: str, value: Value, user: Node) -> Node | None:
        """The node of the existing resource that property ``role`` of ``user`` names, if it has become one."""
        lift = kind.properties[role].lift if role in kind.properties else None
        targets = lift.targets if lift is not None else ()
        candidates = (node for node in self.topology.nodes.values() if not node.source_type and node.kind in targets)
        same = (node for node in candidates if node.external_id == value and node.condition == user.condition)
        return next(same, None)

    def runtime(self, node: str, kind: Kind, name: str, keys: tuple[Value, ...], expr: ex.Expr) -> ex.Attribute:
        """A runtime property, by the name that the chosen family of node types has for it."""
        if self.generation2 and kind.cloudify is not None and not kind.cloudify.plain:
            name = generation2.RUNTIME_PROPERTIES.get(name, name)
        return ex.Attribute(self.node_name(node), name, keys, path=expr.path)

    def property(self, node: Node, rule: AttributeRule, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
        steps = (rule.property or "").split(".")
        first, *path = generation2.property_path(self.catalogue.kind(node.kind), steps) if self.generation2 else steps
        written: Any = self._written_property(node, rule.property or "")
        if written is MISSING:
            raise Unsupported(f"attribute '{expr.name}' is only known to OpenStack: the template does not set it")
        for key in keys:
            if not isinstance(written, (dict, list)):
                raise Unsupported("a part of a computed property is taken")
            try:
                written = written[key]
            except (KeyError, IndexError, TypeError):
                raise Unsupported(f"'{node.name}' has no such part of '{expr.name}'") from None
        if path and branches.are_in(node.properties):
            return self.rewrite(branches.null_for_nothing(written), expr.path)
        return ex.Property(self.node_name(node.name), first, (*path, *keys), path=expr.path)

    def _node(self, expr: ex.Identity | ex.Attribute) -> Node:
        node = self.topology.node(expr.node)
        if node is None:
            if isinstance(expr.node, str):
                self.report("BPC208", expr.path, name=expr.node)
                raise Unsupported(f"there is no resource '{expr.node}'")
            raise Unsupported("the resource's name is computed")
        return node

    def _written_property(self, node: Node, path: str) -> Value:
        """The value that the node's template gives to what becomes property ``path``; MISSING if none."""
        kind = self.catalogue.kind(node.kind)
        for name, rule in (kind.properties if kind else {}).items():
            if rule.to == path:
                value = node.properties.get(name)
                if value is None and rule.default is not None and node.external_id is MISSING:
                    return rule.default
                return MISSING if value is None else value
        return MISSING
