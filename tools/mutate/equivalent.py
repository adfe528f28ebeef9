"""Mutants that nothing can tell from the module, each with the reason."""

from __future__ import annotations

from typing import Final

from equivalent_cloudify import CLOUDIFY

#: module -> change -> why the program does the same with it
EQUIVALENT: Final[dict[str, dict[str, str]]] = {
    **CLOUDIFY,
    "bpconvert/api.py": {
        "opened: opened_file.label if is_path else '' -> opened_file.label if is_path else 'XX'": (
            "neither is the name of an archive"
        ),
    },
    "bpconvert/conversion.py": {
        "Conversion.__init__: self._is_compared = False -> pass": "it is set before it is read",
        "Conversion._compare: return False -> return None": "both are false",
        "Nesting._interface: NestedInterface('', self._digest(nested), own)"
        " -> NestedInterface('XX', self._digest(nested), own)": "what is handed out has the file's name",
    },
    "bpconvert/files.py": {
        "Files.nested_in: resource='' -> resource='XX'": "no resource is called that",
        "Files.nested_in: self.place(name) or '' -> self.place(name) or 'XX'": "neither is in a folder",
        "Files.real: os.name != 'posix' -> os.name == 'posix'": "all links are followed there, too, in more steps",
        "Files.real: os.name != 'posix' -> os.name != 'XXposix'": "all links are followed there, too, in more steps",
    },
    "models/repair.py": {
        "_ROUNDS: Final = 100 -> _ROUNDS: Final = 101": "it only bounds the time",
        "_judge: loc[-1] if loc else '' -> loc[-1] if loc else 'XX'": "what is no map is not repaired",
        "_resolve: _unwrap(field.annotation, field.metadata) if field is not None else None"
        " -> _unwrap(field.annotation, field.metadata) if field is not None else 'XX'": "neither is a model",
        "_resolve: _unwrap(get_args(place)[-1]) if get_args(place) else None"
        " -> _unwrap(get_args(place)[-1]) if get_args(place) else 'XX'": "neither is a model",
        "_unwrap: next((a for a in get_args(annotation) if a is not type(None)), None)"
        " -> next((a for a in get_args(annotation) if a is not type(None)), 'XX')": "there is always one",
        "repaired: break -> continue": "what is left stays right",
        "repaired: error.errors(include_url=False) -> error.errors(include_url=True)": "the URL is not looked at",
    },
    "translators/hot/resource_metadata.py": {
        "seen: (KEY in entries(resource, _METADATA) for resource in resources.values() if isinstance(resource, dict))"
        " -> (KEY in entries(resource, _METADATA) for resource in resources.values())": "what is no map has no entries",
    },
    "translators/hot/write/kept.py": {
        "portable: deployments=None -> deployments='XX'": "no software has a part of that as its name",
    },
    "translators/hot/write/resources.py": {
        "_MARK = '\\ue000' -> _MARK = 'XX\\ue000'": "any text that nobody writes will do",
        "_suits: all((kind in TYPES.get(name, (kind,)) for name in rule))"
        " -> any((kind in TYPES.get(name, (kind,)) for name in rule))": "a rule has one key",
        "fit_result: range(len(path), 0, -1) -> range(len(path), 1, -1)": "no place is that of all resources",
        "hand_on: f'{draft.name} {name}' -> f'{draft.name}XX {name}'": "the key only has to be another one",
    },
    "translators/hot/write/template.py": {
        "version: (next(iter(VERSIONS)), '') -> (next(iter(VERSIONS)), 'XX')": "of the first version no reason is told",
    },
    "translators/passes/capabilities.py": {
        "Software: derived: str = '(?!)' -> derived: str = 'XX(?!)'": "neither matches anything",
    },
    "bpconvert/adoption.py": {
        "_owned: lowered.made.get((mine, name), [])[:1] -> lowered.made.get((mine, name), [])[:2]": (
            "only the first is looked at"
        ),
        "_owned: places[name][0][-1] if places[name] else '' -> places[name][0][-1] if places[name] else 'XX'": (
            "no resource is called that"
        ),
        "_owned: result.files.pop(conversion.inputs_name, None) -> result.files.pop(conversion.inputs_name, 'XX')": (
            "what it yields is not looked at"
        ),
        "_recorded: return deployed.recorded -> return None": "what it yields is not looked at",
        "_with_inputs: result.files.pop(conversion.inputs_name, None)"
        " -> result.files.pop(conversion.inputs_name, 'XX')": "what it yields is not looked at",
    },
    "bpconvert/edited.py": {
        "Conversion.made_again: document=None -> document='XX'": "nobody calls the protocol itself",
        "WayBack._is_no_nearer: return False -> return None": "both are false",
        "WayBack._part: return None -> return 'XX'": "a text has no way back either, and what fails is given up",
        "WayBack._restored: edits is not None and origin is not self._first and (best is None or weight(best.left))"
        " -> edits is not None or origin is not self._first or (best is None or weight(best.left))": (
            "what is tried then is the same again, or cannot be nearer"
        ),
    },
    "bpconvert/urls.py": {"is_url: return False -> return None": "both are false"},
    "bpconvert/yamlio/emit.py": {
        "_kind: _KINDS[type(value)] = base -> pass": "what is remembered is found again",
    },
    "translators/evaluate/query_steps.py": {
        "Meter._look: max((number for number in numbers if number is not None), default=0)"
        " -> max((number for number in numbers if number is not None), default=1)": "one way to match is no step",
        "Meter._look: (number for number in numbers if number is not None) -> (number for number in numbers)": (
            "where one of them is None, the query ends"
        ),
        "Meter.yielded: len(value) > self._longest -> len(value) >= self._longest": "as long a text is as slow",
    },
    "translators/passes/expressions/branches.py": {
        "_LAST: Final = 1 << 32 -> _LAST: Final = 1 << 33": "no condition has so many parts",
        "_LAST: Final = 1 << 32 -> _LAST: Final = 2 << 32": "no condition has so many parts",
        "_pick: return branches[0] -> return branches[1]": "they are the same",
    },
    "translators/passes/expressions/urls.py": {
        "_check: declared.default if declared is not None else None"
        " -> declared.default if declared is not None else 'XX'": "without a declaration nothing asks for it",
        "_has_slash: {text.startswith('/') for text in texts or ['']}"
        " -> {text.startswith('/') for text in texts or ['XX']}": "neither begins with a slash",
        "_host: [first[1:], *pieces[1:-1], last[:-1]] if len(pieces) > 1 else [first[1:-1]]"
        " -> [first[1:], *pieces[1:-1], last[:-1]] if len(pieces) > 2 else [first[1:-1]]": (
            "two texts beside each other are one"
        ),
        "_is_same: '/' if name in ('path', 'query', 'fragment') else ''"
        " -> '/' if name in ('path', 'query', 'fragment') else 'XX'": "no letter is quoted",
        "_is_same: '/' if name in ('path', 'query', 'fragment') else ''"
        " -> 'XX/' if name in ('path', 'query', 'fragment') else ''": "no letter is quoted",
        "partial(quote, safe='') -> partial(quote, safe='XX')": "no letter is quoted",
        "partial(quote, safe=':') -> partial(quote, safe='XX:')": "no letter is quoted",
    },
    "translators/passes/software/publishing.py": {
        "_Publishing._publish: operation.target or '' -> operation.target or 'XX'": "no node is called that",
        "_Publishing._side: operation.target or '' -> operation.target or 'XX'": "no node is called that",
        "_Publishing._take: files.keep(script.file) if script.file is not None else None"
        " -> files.keep(script.file) if script.file is not None else 'XX'": "what publishes is a file",
        "_Publishing._take: operation.script or Script(None) -> operation.script or Script('XX')": (
            "what publishes is a script"
        ),
    },
    "translators/passes/software/to_interfaces.py": {
        "_Interfaces._put_apart: Node(name, '', None, role=COMPONENT, host=machine.name, operations=own,"
        " path=machine.path) -> Node(name, '', 'XX', role=COMPONENT, host=machine.name, operations=own,"
        " path=machine.path)": "no kind is called that",
        "_Interfaces._put_beside: return False -> return None": "both are false",
        "_Interfaces._rename: return False -> return None": "both are false",
        "_Interfaces._rename: script.file or '' -> script.file or 'XX'": "a text needs no files",
        "_Interfaces._step: _NEXT.get(operation.step, '') -> _NEXT.get(operation.step, 'XX')": (
            "no step is called that"
        ),
        "_stands_for: re.fullmatch(re.escape(_STAND_IN).replace('\\\\{\\\\}', '(.*)'), text or '')"
        " -> re.fullmatch(re.escape(_STAND_IN).replace('\\\\{\\\\}', '(.*)'), text or 'XX')": (
            "neither stands for a file"
        ),
        "_stands_for: return '' -> return None": "both are false",
    },
    "translators/provenance/anew.py": {
        "Anew: is_document: bool = False -> is_document: bool = True": "without edits nothing asks for it",
    },
    "translators/provenance/excerpts.py": {
        "_joined: begin <= joined[-1][1] -> begin < joined[-1][1]": "two cuts that touch are as good as one",
    },
    "translators/provenance/keeping.py": {
        "_input: getattr(expr, 'name', None) -> getattr(expr, 'name', 'XX')": "a text has no expressions",
        "_waits: return False -> return None": "both are false",
        "restore: present.inputs.get(name) if name in topology.inputs else None"
        " -> present.inputs.get(name) if name in topology.inputs else 'XX'": "no declaration is a text",
    },
    "translators/provenance/merging.py": {
        "_innermost: [key in version, version.get(key)] -> [key not in version, version.get(key)]": (
            "it tells the same apart"
        ),
        "_means: return False -> return None": "both are false",
        "merge_lines: mine in (base, theirs) -> mine in (base,)": "the same edits are made once",
        "merge_lines: mine in (base, theirs) -> mine in (theirs,)": "no edits are made of what is the same",
    },
    "translators/provenance/notes.py": {
        "_sentence: '.+'.join((re.escape(part) for part in re.split(_PLACEHOLDER, note))) if note else '(?!)'"
        " -> '.+'.join((re.escape(part) for part in re.split(_PLACEHOLDER, note))) if note else 'XX(?!)'": (
            "nothing is that"
        ),
        "without: note.start:note.end -> note.start:note.end + 1": "blanks behind a note make no difference",
        "without: text[:note.start].rstrip(' \\t') -> text[:note.start].rstrip('XX \\t')": (
            "only blanks stand before it in its line"
        ),
        "without: text[end.end():] if end else '' -> text[end.end():] if end else 'XX'": ("a line follows it"),
    },
    "translators/provenance/proposals.py": {
        "Proposals._of_scalar: 0 if token.path[:2] in own or token.path[:1] in own else 1"
        " -> 0 if token.path[:2] in own or token.path[:1] in own else 2": "only the order of the ranks counts",
        "_at: return None -> return 'XX'": "a text has no parts either",
    },
    "translators/provenance/putback.py": {
        "PutBack._accept: return False -> return None": "both are false",
        "PutBack.by_translation: [item for item in every if len(item.path) > 2] -> [item for item in every]": (
            "of a whole entry nothing is tried"
        ),
        "PutBack.by_translation: len(item.path) > 2 -> len(item.path) >= 2": "of a whole entry nothing is tried",
    },
    "translators/provenance/metadata_text.py": {"([str], 'str | None') -> ([str], 'XXstr | None')": "it is a type"},
    "translators/provenance/splice.py": {
        "_reads_as: return False -> return None": "both are false",
        "_shares_lines: return False -> return None": "both are false",
    },
    "translators/tosca/profile.py": {
        "_definition: {name: attribute_definition(row.get('type') in _DEEP) for name, row in attributes"
        " if name not in INHERITED[types.parent]}"
        " -> {name: attribute_definition(row.get('type') in _DEEP) for name, row in attributes}": (
            "no resource has such an attribute now"
        ),
    },
    "translators/tosca/read/attributes.py": {
        "Attributes._attribute: _RULES.get(node.kind or '') -> _RULES.get(node.kind or 'XX')": "no kind is called that",
        "Attributes._is_published: return False -> return None": "both are false",
    },
    "translators/tosca/read/compute.py": {
        "_image_of_file: return False -> return None": "both are false",
        "is_image: return False -> return None": "both are false",
    },
    "translators/tosca/read/networks.py": {
        "_place: node.properties.pop('order', None) -> node.properties.pop('order', 'XX')": "its result is not used",
        "has_port: server.properties.get('networks') if server is not None else None"
        " -> server.properties.get('networks') if server is not None else 'XX'": "neither is a list",
        "report_without_addresses: sorted(networks(server.properties.get('networks')) - with_addresses)"
        " -> networks(server.properties.get('networks')) - with_addresses": "findings have the order of their places",
        "report_without_addresses: [other for other in nodes.values() if other.kind == 'server']"
        " -> [other for other in nodes.values()]": "nothing else has networks",
    },
    "translators/tosca/read/nfv_groups.py": {
        "_overrule: node.origins.pop(('instances',), None) -> node.origins.pop(('instances',), 'XX')": (
            "its result is not used"
        ),
        "scaled: _level(plan, units, topology, findings) if differ else ''"
        " -> _level(plan, units, topology, findings) if differ else 'XX'": "without an input nothing reads its name",
    },
    "translators/tosca/read/scaling.py": {
        "_independent: set(group.members) < set(members) -> set(group.members) <= set(members)": (
            "a counted group is one node, and no other group is that node alone"
        ),
        "_refer: node.properties.get(shows.properties) if shows is not None else None"
        " -> node.properties.get(shows.properties) if shows is not None else 'XX'": "neither is a map",
        "_refer: topology.group_nodes.get(properties[_GROUP]) if isinstance(properties.get(_GROUP), str) else None"
        " -> topology.group_nodes.get(properties[_GROUP]) if isinstance(properties.get(_GROUP), str) else 'XX'": (
            "no node is called that"
        ),
        "_rename: getattr(expr, 'node', None) -> getattr(expr, 'node', 'XX')": "no node is called that",
    },
    "translators/tosca/read/software.py": {
        "_artifacts_named: [*expr.argument, None, None] -> [*expr.argument, 'XX', None]": "no artifact is called that",
        "_artifacts_named: [*expr.argument, None, None] -> [*expr.argument, None, 'XX']": "no artifact is called that",
    },
    "translators/tosca/write/bindings.py": {
        "_ports: context.node_of(item['port']) if isinstance(item, dict) and item.keys() == {'port'} else ''"
        " -> context.node_of(item['port']) if isinstance(item, dict) and item.keys() == {'port'} else 'XX'": (
            "no port is called that"
        ),
        "_fit: return False -> return None": "both are false",
        "_ports: server.properties.get(_NETWORKS) if server.heat == edges.SERVER else None"
        " -> server.properties.get(_NETWORKS) if server.heat == edges.SERVER else 'XX'": "neither is a list",
    },
    "translators/tosca/read/policies.py": {
        "Policies.guard: return '' -> return None": "both are false",
        "Policies.place: return '' -> return None": "both are false",
        "Policies.scale: return '' -> return None": "both are false",
    },
    "translators/tosca/write/software.py": {
        "_hosted: _host(place.node) or '' -> _host(place.node) or 'XX'": "no node is called that",
        "_is_standard: _HOSTS.get(node.role or '') -> _HOSTS.get(node.role or 'XX')": "no role is called that",
        "_is_standard: return False -> return None": "both are false",
        "draft_of: plain.rsplit('.', 1) -> plain.rsplit('.', 2)": "only the last part counts",
    },
    "translators/tosca/write/types.py": {
        "_fit: return False -> return None": "both are false",
        "imported: return False -> return None": "both are false",
    },
    "translators/tosca/write/volumes.py": {
        "_fit: all((row in own for row in orders)) -> any((row in own for row in orders))": "it requires both ends",
        "_fit: end.kind.kind if end.kind is not None else '' -> end.kind.kind if end.kind is not None else 'XX'": (
            "no kind is called that"
        ),
        "attach_volumes: (_plain(context, drafts), -1) -> (_plain(context, drafts), -2)": "neither is a length",
    },
    "translators/verify/reported.py": {
        "Reported._source: self.side.catalogue.kind(node.kind) if node is not None else None"
        " -> self.side.catalogue.kind(node.kind) if node is not None else 'XX'": "without a node nothing asks for it",
    },
    "translators/verify/compare.py": {
        "_Candidates._likeness: next((i for i, (a, b) in enumerate(zip(part.name, other.name, strict=False))"
        " if a != b), 1000) -> next((i for i, (a, b) in enumerate(zip(part.name, other.name, strict=False))"
        " if a != b), 1001)": "no name is so long",
        "_Candidates.most_alike: max(others, key=partial(self._likeness, part)) if len(others) > 1"
        " else next(iter(others), None) -> max(others, key=partial(self._likeness, part)) if len(others) >= 1"
        " else next(iter(others), None)": "of one it is that one",
        "_Candidates.like: len(candidates) > _MOST -> len(candidates) >= _MOST": "of as many it is found, too",
        "_MOST: Final = 50 -> _MOST: Final = 51": "it only bounds the time",
        "same: first is MISSING or second is MISSING -> first is MISSING and second is MISSING": "no value equals it",
    },
    "translators/verify/parts.py": {
        "_of_first_version: _devices(kind) if kind is not None else ('', '')"
        " -> _devices(kind) if kind is not None else ('XX', '')": "no property is called that",
        "_of_first_version: _devices(kind) if kind is not None else ('', '')"
        " -> _devices(kind) if kind is not None else ('', 'XX')": "without an old one the new one is not looked at",
        "_second_version: 0 if server.get('image') is None else None"
        " -> 0 if server.get('image') is None else 'XX'": "neither is the number of a device",
        "_special: [(key, rule) for key, rule in kind.properties.items() if rule.hook or rule.ignore]"
        " -> [(key, rule) for key, rule in kind.properties.items()]": "nothing is done about the others",
        "_with_id: steps[:1] == ('id',) -> steps[:2] == ('id',)": "an id has no parts",
    },
    "translators/verify/scripts.py": {
        "_same_node: return None -> return 'XX'": "a name for itself says nothing either",
    },
    "translators/verify/side.py": {
        "Side._answer: next((name for name, property_rule in kind.properties.items()"
        " if property_rule.to == rule.property), None) -> next((name for name, property_rule in kind.properties.items()"
        " if property_rule.to == rule.property), 'XX')": "no property is called that",
        "Side._interface: return '' -> return None": "both are false",
        "World.attribute: kind=None -> kind='XX'": "neither is a list or a map",
        "World.attribute: f'{self.seed} {node} {name}' -> f'{self.seed} {node}XX {name}'": "any text is a seed",
        "World.attribute: f'{self.seed} {node} {name}' -> f'{self.seed}XX {node} {name}'": "any text is a seed",
        "World.attribute: {'first': {}, 'second': {}} -> {'XXfirst': {}, 'second': {}}": "any keys will do",
        "World.attribute: {'first': {}, 'second': {}} -> {'first': {}, 'XXsecond': {}}": "any keys will do",
        "World.fact: f'{self.seed} {name}' -> f'{self.seed}XX {name}'": "any text is a seed",
        "World.fact: f\"{name}-{random.Random(f'{self.seed} {name}').randrange(10 ** 6)}\""
        " -> f\"{name}XX-{random.Random(f'{self.seed} {name}').randrange(10 ** 6)}\"": "any text of its own will do",
        "World.fact: random.Random(f'{self.seed} {name}').randrange(10 ** 6)"
        " -> random.Random(f'{self.seed} {name}').randrange(11 ** 6)": "any number will do",
        "_DIGITS: Final = 6 -> _DIGITS: Final = 7": "nothing has so many instances",
        "_Lazy.__iter__: return iter(self.names or ()) -> return None": "nothing goes through them",
        "_Lazy.__iter__: self.names or () -> self.names and ()": "nothing goes through them",
        "_Lazy.__len__: self.names or () -> self.names and ()": "nothing counts them",
    },
}
