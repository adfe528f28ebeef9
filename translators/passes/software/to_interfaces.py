"""Operations of nodes and relationships, for a language that has other interfaces for the same steps."""

from __future__ import annotations

import hashlib
import posixpath
import re
import shlex
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Node, Operation, Relationship, Script, Topology
from bpconvert.translators.catalogue.stand_ins import is_idle, only_runs
from bpconvert.translators.passes.request import Request
from bpconvert.translators.passes.software.kinds import COMPONENT, MACHINES
from bpconvert.translators.passes.software.machines import addressed, is_local, on_each
from bpconvert.translators.passes.software.over import Overs
from bpconvert.translators.passes.software.playbooks import published
from bpconvert.translators.passes.software.publishing import publish
from bpconvert.translators.passes.software.python_files import imports, interpreter, is_program
from bpconvert.translators.passes.software.starting import start
from bpconvert.translators.passes.software.to_deployments import bring, host_of, title
from bpconvert.translators.support.graphs import reachable
from bpconvert.translators.support.text import fresh
from bpconvert.urls import is_url

#: the first line of a program in Python
_PYTHON: Final = re.compile(r"#!.*\bpython")
#: the folder of programs that stand for files which are not there
_MISSING: Final = "missing"
#: a program that stands for a missing file, and how what it reports ends
_STAND_IN: Final = "#!/bin/sh\necho {} >&2\nexit 1\n"
_NOT_THERE: Final = " was not there when this was converted"
#: step -> the one at which the same happens, where a node does nothing else then
_NEXT: Final = {"precreate": "create", "prestop": "stop", "postdelete": "delete", "poststart": "start"}
#: what a node is called that has the operations of a machine, after that
_OF_MACHINE: Final = "_software"


def to_interfaces(topology: Topology, request: Request) -> Topology:
    """Give operations the names of the target's interfaces; what it has none for is reported, and taken away."""
    _Interfaces(topology, request).run()
    return topology


def _stands_for(text: str | None) -> str:
    """The file that was not there, of the program in place of it; "" for other programs."""
    match = re.fullmatch(re.escape(_STAND_IN).replace(r"\{\}", "(.*)"), text or "")
    try:
        words = shlex.split(match[1]) if match else []
    except ValueError:
        return ""
    return words[0].removesuffix(_NOT_THERE) if len(words) == 1 and words[0].endswith(_NOT_THERE) else ""


class _Interfaces:
    def __init__(self, topology: Topology, request: Request) -> None:
        self.topology = topology
        self.request = request
        self.source, self.target = request.source.programs, request.target.programs
        self.overs = Overs(topology, request)
        self._roles = {type: role for role, type in self.source.roles.items()}

    def run(self) -> None:
        """Rewrite the topology."""
        for node in self.topology.nodes.values():
            for operation in node.operations:
                operation.step, operation.script = self.source.step(operation), self.source.script(operation)
            if node.kind is not None or node.shows is not None or node.native is not None:
                continue
            if not node.role and not self._is_of_plugin(node):
                node.role = next((self._roles[type] for type in node.ancestry if type in self._roles), "")
            if self._moves_operations and any(operation.step for operation in node.operations):
                self._component(node)
            elif not self._moves_operations and self._runs_programs(node):
                node.role = node.role or COMPONENT
            if not self._moves_operations:
                self._give_host(node)
        self.overs.find(self._is_elsewhere)
        for node in list(self.topology.nodes.values()):
            self._put_apart(node)
        for node in self.topology.nodes.values():
            self._install(node)
        on_each(self.topology)
        own = {
            node.name: [operation for operation in node.operations if self._may_run(node, operation)]
            for node in self.topology.nodes.values()
        }
        publish(own, self.topology, self.request)
        for operations in own.values():
            start(operations, self.request)
        for node in self.topology.nodes.values():
            node.operations = [operation for operation in node.operations if self._rename(node, operation)]

    def _give_host(self, node: Node) -> None:
        """Programs that say themselves which machine they run on, run on what hosts their node: a node that nothing
        hosts is hosted by that machine, where it waits for it."""
        scripts = [operation.script for operation in node.operations if operation.target is None and operation.script]
        addresses = [script.address for script in scripts if script.address is not MISSING]
        machines = {
            machine.name: machine for row in addresses if (machine := addressed(self.topology, row)) is not None
        }
        if len(machines) != 1 or node.host is not None or node.native is not None or node.nested is not None:
            return
        [machine] = machines.values()
        ties = [relationship for relationship in node.relationships if relationship.target == machine.name]
        if not ties or machine.group != node.group or any(row.inside for row in node.relationships):
            return
        node.host, ties[0].inside = machine.name, True

    def _may_run(self, node: Node, operation: Operation) -> bool:
        """True for an operation of software that its own machine runs."""
        is_own = bool(node.role) and bool(operation.step) and not operation.native
        return is_own and not self._is_elsewhere(node, operation)

    def _is_elsewhere(self, node: Node, operation: Operation) -> bool:
        """True for a program that says itself which machine it runs on, where that does not host its node."""
        script = operation.script
        if script is None or script.address is MISSING or self._moves_operations:
            return False
        machine, host = addressed(self.topology, script.address), host_of(self.topology, node, operation)
        return (machine is not host) if machine is not None else (host is None or host.kind not in MACHINES)

    def _is_of_plugin(self, node: Node) -> bool:
        """True for a node inside of nothing, of a type of its own, all of whose operations are functions of plugins."""
        functions = bool(node.operations) and all(
            operation.script is None and not operation.native for operation in node.operations
        )
        is_inside = node.host is not None or any(relationship.inside for relationship in node.relationships)
        return functions and not is_inside and node.source_type not in self._roles

    def _runs_programs(self, node: Node) -> bool:
        """True for a node that does nothing but run files, at steps that the target has, too."""
        steps, between = self.target.operations.own, self.target.operations.between
        own = [operation for operation in node.operations if operation.script is not None]
        is_run = any(
            operation.step in steps if operation.target is None else (operation.step, operation.host) in between
            for operation in own
        )
        types = node.ancestry or [node.source_type]
        knows_all = all(operation.script is not None for operation in node.operations if operation.implementation)
        return is_run and (is_idle(types) or (knows_all and only_runs(self.request.source.language, types)))

    def _component(self, node: Node) -> None:
        """A node of which nothing is known but its operations is software as well."""
        if node.role:
            return
        report = self.request.reporter.report
        report("BPC843", node.path, name=node.name, type=node.source_type)
        for name in node.properties:
            report("BPC830", node.origin(name), name=name, node=node.name)
        node.role = COMPONENT

    # -- nodes ------------------------------------------------------------------------------------------------

    def _put_apart(self, machine: Node) -> None:
        """Operations of a machine are those of software on it: its own create it. What waits for the machine waits for
        them, too, but for what they need themselves."""
        own = [operation for operation in machine.operations if operation.step]
        if machine.kind not in MACHINES or not own or self.request.source.references != "relationships":
            return
        if not self._moves_operations:
            return
        name = fresh(f"{machine.name}{_OF_MACHINE}", self.topology.nodes)
        software = Node(name, "", None, role=COMPONENT, host=machine.name, operations=own, path=machine.path)
        software.relationships = [Relationship(name, machine.name, inside=True, path=machine.path)]
        for operation in own:
            if operation.target is not None and operation.target not in software.awaited:
                software.wait_for(operation.target, path=operation.path)
        machine.operations = [operation for operation in machine.operations if operation not in own]
        needed = reachable({other.name: other.awaited for other in (*self.topology.nodes.values(), software)}, name)
        for node in self.topology.nodes.values():
            if machine.name in node.awaited and node.name not in needed:
                node.wait_for(name, path=machine.path)
        self.topology.nodes[name] = software
        self._publish_apart(machine.name, name, own)

    def _publish_apart(self, machine: str, software: str, own: list[Operation]) -> None:
        """Read what the operations of a machine publish of the software that has them now."""
        outputs = {output for operation in own for output in operation.outputs}

        def of_software(expr: ex.Expr) -> Value:
            if isinstance(expr, (ex.Attribute, ex.AttributeList)) and expr.node == machine and expr.name in outputs:
                return replace(expr, node=software)
            return expr

        if not outputs:
            return
        self.topology.rewrite(lambda value: ex.transform(value, of_software))
        for operation in (operation for node in self.topology.nodes.values() for operation in node.operations):
            if operation.script is not None:
                values = operation.script.inputs.items()
                operation.script.inputs = {
                    name: (ex.transform(value, of_software), path) for name, (value, path) in values
                }

    def _install(self, node: Node) -> None:
        """What a node installs for a tool is installed where the tool runs: by the target's own operations, where
        these run it."""
        programs = [(operation, operation.script) for operation in node.operations if operation.script is not None]
        users = [script for _, script in programs if script.tool in self.target.operations.installing]
        for operation, script in programs if users and self._moves_operations else ():
            if script.tool or not script.installs:
                continue
            for user in users:
                user.installs = script.installs
            node.operations.remove(operation)
            words = {"node": node.name, "tool": users[0].tool, "names": ", ".join(script.installs)}
            self.request.reporter.report("BPC529", operation.path, **words)

    def _installed(self, script: Script) -> dict[str, Value]:
        """What an operation is given that a tool runs, of what the tool needs."""
        return {self.target.operations.installing[script.tool]: [*script.installs]} if script.installs else {}

    def _not_installed(self, script: Script) -> list[Path]:
        """The place of what the tool of an operation needs, which no operation of the target can have installed: an
        artifact is a file there (opera, puccini)."""
        name = self.source.operations.installing.get(script.tool)
        return [("inputs", name)] if script.installs and name else []

    @property
    def _moves_operations(self) -> bool:
        """True where the operations of a machine are the target's own."""
        return self.request.target.software == "operations"

    # -- operations -------------------------------------------------------------------------------------------

    def _rename(self, node: Node, operation: Operation) -> bool:
        """Give an operation its name and what runs it; False where it is reported as not run."""
        written = self.target.operations
        if operation.native == self.request.target.language:
            bring(operation, self.topology, self.request)
            return True
        if not node.role and not self._moves_operations:
            return True  # what stands for the node shows it as it is
        if operation.target is None:
            target_name = written.own.get(self._step(node, operation))
        else:
            target_name = written.between.get((operation.step, operation.host))
        why = "" if target_name else f"{self.request.target.title} has no such operation"
        why = why or self._obstacle(node, operation)
        if why or target_name is None or operation.script is None:
            texts = {"name": title(operation), "node": node.name, "why": why}
            self.request.reporter.report("BPC831", operation.path or node.path, **texts)
            node.unrun.append(operation)
            bring(operation, self.topology, self.request)
            return False
        script, label = operation.script, operation.name
        operation.interface, operation.name = target_name
        if id(operation) in self.overs.found:
            self.overs.write(operation)
            return True
        if script.file is None:
            ending = "py" if _PYTHON.match(script.text) else "sh"
            own = self.request.files.generated_name(f"{node.name}_{label}.{ending}")
            operation.implementation = f"scripts/{own}"
            self.topology.files[operation.implementation] = script.text
        else:
            operation.implementation = self._placed(script.file, operation)
        variables = {name: value for name, (value, _) in script.inputs.items()}
        tool = written.tools.get(script.tool)
        if tool is not None:
            operation.implementation, own_inputs = tool(operation.implementation, variables)
            operation.inputs = {**own_inputs, **self._installed(script)}
        else:
            operation.inputs = written.inputs(variables, self._is_program(operation))
        unset = [place for _, place in script.setup.values()]
        for place in (*script.settings, *unset, *(self._not_installed(script) if tool is None else ())):
            self.request.reporter.report("BPC833", (*operation.path, *place), name=place[-1])
        lost = [
            name for name in script.needs[0] if tool is None or not self._put_beside(name, script.file or "", operation)
        ]
        if lost:
            place = (*operation.path, *script.needs[1])
            self.request.reporter.report("BPC870", place, name=label, files=", ".join(lost))
        self._publish(node, operation, script, is_kept=tool is not None)
        operation.extra = self._extra(node, operation)
        if tool is not None:
            self.request.reporter.report("BPC523", operation.path, name=script.file, tool=script.tool)
        elif script.tool and self._moves_operations:
            self.request.reporter.report("BPC845", operation.path, name=script.file, tool=script.tool)
        if self._moves_operations:
            self._place(node, operation, {} if tool is not None else dict(written.central))
        return True

    def _place(self, node: Node, operation: Operation, central: dict[str, Any]) -> None:
        """Let an operation run beside the engine, with what it has then, or note that its machine runs programs."""
        machine = host_of(self.topology, node, operation)
        if self._is_central(node, operation):
            operation.extra = central
            self.request.reporter.report("BPC846", operation.path, node=node.name)
        elif machine is not None:
            self.topology.machines.setdefault(machine.name, node.name)

    def _put_beside(self, name: str, program: str, operation: Operation) -> bool:
        """Put a file or folder that a program needs beside it, by its last name (opera: executors/ansible, ``run``).
        The plugin takes the folder of a playbook as a whole (cloudify_ansible/utils.py, ``handle_site_yaml``). False
        where a part of it cannot be there."""
        files, folder = self.request.files, posixpath.dirname(self._placed(program, operation))
        needed: dict[str, str] = {}
        for file in files.below(name) or [name]:
            text = files.keep(file)
            inner_path = posixpath.relpath(file, posixpath.dirname(posixpath.normpath(name)) or ".")
            place = posixpath.join(folder, inner_path)
            if text is None or self.topology.files.get(place, text) != text:
                return False
            needed[place] = text
        self.topology.files.update(needed)
        self.request.reporter.report("BPC435", operation.path, name=name, program=program)
        return True

    def _is_program(self, operation: Operation) -> bool:
        """True for a file of Python that is run as it is."""
        return is_program(operation.implementation, operation.path, self.topology, self.request)

    def _publish(self, node: Node, operation: Operation, script: Script, *, is_kept: bool) -> None:
        """Report what the program of an operation has to publish itself."""
        kept = self._kept(script, operation) if operation.outputs and is_kept else []
        for output in () if script.fitted else operation.outputs:
            if output not in kept:
                self.request.reporter.report("BPC844", operation.path, name=output, node=node.name)

    def _kept(self, script: Script, operation: Operation) -> list[str]:
        """What a program of a tool publishes, where the engine gets it by files beside the program; put there."""
        files = self.target.operations.beside.get(script.tool)
        names_published = published(self.request.files.look(script.file)[0]) if files and script.file else []
        names = [name for name in operation.outputs if name in names_published]
        if names and files:
            folder = posixpath.dirname(self._placed(str(script.file), operation))
            self.topology.files |= {posixpath.join(folder, name): text for name, text in files.items()}
            self.request.reporter.report("BPC436", operation.path, name=script.file, names=", ".join(names))
        return names

    def _step(self, node: Node, operation: Operation) -> str:
        """The step at which an operation runs: where the target has no such, the next one."""
        nearest = _NEXT.get(operation.step, "")
        taken = {operation.step for operation in node.operations if operation.target is None}
        has_own = operation.step in self.target.operations.own or not nearest or nearest in taken
        return operation.step if has_own else nearest

    def _is_central(self, node: Node, operation: Operation) -> bool:
        """True for an operation that runs beside the engine, in both languages: of a node that nothing hosts, or that
        the engine's own machine does, or where the operation itself says so."""
        side = self.topology.node(operation.target) if operation.host == "target" else node
        host = host_of(self.topology, node, operation)
        alone = host is None or (host is side and host.kind not in MACHINES)
        local = is_local(host)
        own = operation.script is not None and operation.script.central
        return (alone or local or own) and bool(self.target.operations.central)

    def _extra(self, node: Node, operation: Operation) -> dict[str, Any]:
        """What an operation has that runs beside the engine though a machine hosts its node, where the target's engine
        would run it there."""
        machine = host_of(self.topology, node, operation)
        if self._moves_operations or machine is None or machine.kind not in MACHINES or is_local(machine):
            return {}
        return dict(self.target.operations.central) if operation.script is not None and operation.script.central else {}

    def _obstacle(self, node: Node, operation: Operation) -> str:
        """Why an operation cannot be run, "" if it can."""
        script = operation.script
        if not node.role:
            return "only software has operations here"
        if script is None:
            return self.source.why_not(operation) or "it is a function of a plugin"
        if self._is_elsewhere(node, operation):
            return "it runs on a machine that does not host the node"
        machine = host_of(self.topology, node, operation)
        if self._moves_operations and (machine is None or machine.kind not in MACHINES):
            return "" if self._is_central(node, operation) else "it runs on no server of the template"
        if self._moves_operations and machine is not None and machine.external_name is not MISSING:
            return f"the server '{machine.name}' is known by its name only"
        return ""

    def _placed(self, file: str, operation: Operation) -> str:
        """The file in the bundle, under a name that operations can have. In place of one that is not there stands a
        program that fails."""
        files = self.request.files
        text = None if is_url(file) and not files.has_url(file) else files.read(file)[0]
        missing = _stands_for(text)
        if missing and not self._moves_operations:
            text, file = None, missing
        name = files.local(file) if is_url(file) else file
        if text is None or not re.fullmatch(self.target.operations.files, file):
            folder = "scripts" if text is not None else _MISSING
            name = f"{folder}/" + re.sub(r"[^\w.+@-]+", "_", file, flags=re.ASCII).strip("_.")
        if text is None and not self._moves_operations:
            self.request.reporter.report(files.read(file)[1], operation.path, name=files.shown(file))
            return file
        if text is None:
            text = _STAND_IN.format(shlex.quote(file + _NOT_THERE))
            self.request.reporter.report("BPC834", operation.path, name=file, place=name)
        line = interpreter(file, text) if self._moves_operations else None
        if line is not None and not imports(text, self.target.module):
            text = f"{line}\n{text}"
            self.request.reporter.report("BPC433", (*operation.path, "implementation"), script=file)
        if self.topology.files.get(name, text) != text:  # of URLs, only host and path are part of the name
            stem, ending = posixpath.splitext(name)
            name = f"{stem}-{hashlib.sha256(text.encode()).hexdigest()[:6]}{ending}"
        self.topology.files[name] = text
        return name
