"""The texts of software configurations, as they stand in user data and in the parts of others."""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Node
from bpconvert.translators.passes.software import mime
from bpconvert.translators.passes.software.kinds import CONFIGS
from bpconvert.translators.passes.work import Refused, Work


class Texts:
    """The texts of one topology's configurations."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self._known: dict[str, Value] = {}
        #: configurations whose texts are being made
        self._reading: set[str] = set()

    def own(self, expr: ex.Expr) -> Value:
        """The text itself for ``get_attr: [config, config]``; any other expression as it is."""
        if not isinstance(expr, ex.Attribute) or expr.name != "config" or expr.keys:
            return expr
        node = self.work.topology.node(expr.node)
        if node is None or node.kind not in CONFIGS:
            return expr
        try:
            return self.of(node)
        except Refused:
            return expr

    def of(self, node: Node) -> Value:
        """The text of a configuration: known, or an expression. Raises :class:`Refused`."""
        if node.name not in self._known:
            if node.name in self._reading:
                raise Refused(f"'{node.name}' is a part of itself")
            self._reading.add(node.name)
            try:
                if node.kind == "multipart_mime":
                    found = mime.message(mime.read(self.work, node, self.of))
                else:
                    found = ex.transform(self._written(node), self.own)
            finally:
                self._reading.discard(node.name)
            self._known[node.name] = found
        return self._known[node.name]

    def _written(self, node: Node) -> Value:
        properties = node.properties
        if not isinstance(properties, dict) or node.external_id is not MISSING:
            raise Refused(f"the text of '{node.name}' is not written in the template")
        text = properties.get("config")
        if isinstance(text, ex.File):
            return self.work.fold(text, text.path)
        if not isinstance(text, (str, int, float, ex.Expr, type(None))):
            raise Refused(f"the text of '{node.name}' is no text")
        return text if isinstance(text, ex.Expr) else "" if text is None else str(text)
