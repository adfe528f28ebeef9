"""Values that environments give to the inputs of a result: the files of inputs, one for all and one for each stage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models.topology import Topology
from bpconvert.translation import Way
from bpconvert.translators.lowered import Lowered

#: what messages call the files of ``-e``
_ALL = "the environment"


def given_values(
    way: Way, topology: Topology | None, lowered: Lowered, reporter: Reporter, files: Files
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """The values to give when deploying: those for every deployment, and stage -> those for its deployment, the others
    included. ``files``: those of the document, with its environments; a nested one has none."""
    if topology is None or files.inner:
        return dict(lowered.inputs), {}
    values = _Given(way, topology, lowered, reporter)
    values.read(files)
    return values.inputs, values.stages


class _Given:
    """The values for one result, as :func:`given_values` returns them."""

    def __init__(self, way: Way, topology: Topology, lowered: Lowered, reporter: Reporter) -> None:
        self._way = way
        self._topology = topology
        self._section = way.source.section("inputs")
        self._names = lowered.names.get(self._section, {})
        self._reporter = reporter
        self.inputs: dict[str, Any] = dict(lowered.inputs)
        self.stages: dict[str, dict[str, Any]] = {}

    def read(self, files: Files) -> None:
        """Take the values of environments."""
        if files.environment is not None:
            self.inputs |= self._accepted(files.environment.parameters, _ALL)
        for stage, environment in files.stages.items():
            defaults = {name: value for name, value in environment.defaults.items() if name in self._topology.inputs}
            self.stages[stage] = self.inputs | self._accepted(
                {**defaults, **environment.parameters}, f"stage '{stage}'"
            )

    def _accepted(self, values: Mapping[str, Any], file: str) -> dict[str, Any]:
        """The ``values`` of inputs that the result has and that fit, by their names in the result."""
        accepted: dict[str, Any] = {}
        for name, value in values.items():
            declared, place = self._topology.inputs.get(name), (self._section, name)
            if declared is None or name not in self._names:
                self._reporter.report("BPC652", place, name=name, file=file)
                continue
            try:
                accepted[self._names[name]] = self._way.source.accept(declared, value)
            except ValueError as wrong:
                self._reporter.report("BPC651", place, name=name, file=file, problem=str(wrong))
        return accepted


def stage_file(inputs_name: str, stage: str) -> str:
    """The name of the file with the inputs of a stage: ``app.prod.inputs.yaml`` beside ``app.inputs.yaml``."""
    stem = inputs_name.removesuffix("inputs.yaml")
    return f"{stem}{stage}.inputs.yaml"
