"""Mutants of Cloudify's translator that nothing can tell from the module, each with the reason."""

from __future__ import annotations

from typing import Final

CLOUDIFY: Final[dict[str, dict[str, str]]] = {
    "translators/cloudify/openstack/arrangement.py": {
        "Reshaping._is_secured: node.value_of(_SECURITY) if node is not None else None"
        " -> node.value_of(_SECURITY) if node is not None else 'XX'": "it is asked for last, and is not false",
        "Reshaping._is_secured: return True -> return None": "neither is what turns security off",
        "Reshaping.absorb: relationship and target -> relationship or target": "it takes both or none",
        "Reshaping.may_be_name: return False -> return None": "both are false",
        "Reshaping.own_external: Node(name, '', kind, external_id=value, condition=user.condition, path=path)"
        " -> Node(name, 'XX', kind, external_id=value, condition=user.condition, path=path)": (
            "nothing is told of its type"
        ),
    },
    "translators/cloudify/openstack/assignments.py": {
        "_as_groups: (None, node.declared) -> ('XX', node.declared)": "no kind is called that",
        "_as_groups: owner.properties.setdefault('groups', []) if owner is not None and owner.kind == 'user' else None"
        " -> owner.properties.setdefault('groups', []) if owner is not None and owner.kind == 'user' else 'XX'": (
            "neither is a list"
        ),
        "_as_groups: state.kinds.pop(node.name, None) -> state.kinds.pop(node.name, 'XX')": (
            "what it yields is not looked at"
        ),
        "give: Node(f'{node.name}_role', '', made_kind, properties, path=path)"
        " -> Node(f'{node.name}_role', 'XX', made_kind, properties, path=path)": "nothing is told of its type",
        "is_on_domain: return False -> return None": "both are false",
        "prepare_groups: Node(f'{node.name}_membership', '', _MEMBERSHIP, properties, path=(*path, index))"
        " -> Node(f'{node.name}_membership', 'XX', _MEMBERSHIP, properties, path=(*path, index))": (
            "nothing is told of its type"
        ),
    },
    "translators/cloudify/openstack/compute.py": {
        "_metadata_text: ex.Join('', ([value],), path=path) -> ex.Join('XX', ([value],), path=path)": (
            "one item has nothing between"
        ),
    },
    "translators/cloudify/openstack/connections.py": {
        "_port_of_server: server.properties.get('networks') if server is not None and known_server else None"
        " -> server.properties.get('networks') if server is not None and known_server else 'XX'": "neither is a list",
        "_routing: arrangement.own_external('router', own, user, user.path, 'routes', called)"
        " -> arrangement.own_external('router', own, user, user.path, 'XXroutes', called)": (
            "nothing else stands for a router"
        ),
        "_why_apart: return '' -> return None": "both are false",
        "absorb: return False -> return None": "both are false",
        "attach: return False -> return None": "both are false",
        "extra_route: arrangement.absorb(node, holder.name, None, None, {'router', 'routes'})"
        " -> arrangement.absorb(node, holder.name, 'XX', None, {'router', 'routes'})": "it takes both or none",
        "extra_route: arrangement.absorb(node, holder.name, None, None, {'router', 'routes'})"
        " -> arrangement.absorb(node, holder.name, None, 'XX', {'router', 'routes'})": "it takes both or none",
        "of_the_first: getattr(value, 'node', '') -> getattr(value, 'node', 'XX')": "no node is called that",
        "router_gateway: arrangement.absorb(node, owner.name, None, None, {'router_id', 'network'})"
        " -> arrangement.absorb(node, owner.name, 'XX', None, {'router_id', 'network'})": "it takes both or none",
        "router_gateway: arrangement.absorb(node, owner.name, None, None, {'router_id', 'network'})"
        " -> arrangement.absorb(node, owner.name, None, 'XX', {'router_id', 'network'})": "it takes both or none",
    },
    "translators/cloudify/openstack/interfaces.py": {
        "_groups_of_interface: kind.properties.get('security_groups') if kind is not None else None"
        " -> kind.properties.get('security_groups') if kind is not None else 'XX'": "ports have a kind",
        "_may_share: return False -> return None": "both are false",
        "_project_network: (PROJECT_NETWORK, '', '') -> (PROJECT_NETWORK, 'XX', '')": "no other node is called by it",
        "_project_network: (PROJECT_NETWORK, '', '') -> (PROJECT_NETWORK, '', 'XX')": "no other node is called by it",
        "_word: item.get(_ALLOCATE) if isinstance(item, dict) and item.keys() == {_ALLOCATE} else None"
        " -> item.get(_ALLOCATE) if isinstance(item, dict) and item.keys() == {_ALLOCATE} else 'XX'": (
            "it is no word of Nova's either"
        ),
        "_word: networks[0] if isinstance(networks, list) and len(networks) == 1 else None"
        " -> networks[0] if isinstance(networks, list) and len(networks) == 1 else 'XX'": "neither is a map",
        "read_project_networks: networks[0] if isinstance(networks, list) and len(networks) == 1 else None"
        " -> networks[0] if isinstance(networks, list) and len(networks) == 1 else 'XX'": "neither is a map",
        "read_version: return False -> return None": "both are false",
        "read_version: value.get(MICROVERSION, 0) -> value.get(MICROVERSION, 1)": "both are lower than any that counts",
        "read_version: value.get(_API, 0) -> value.get(_API, 1)": "both are lower than any that counts",
        "without_networks: _ask_nova(writing, draft, '', (*source, 'networks'))"
        " -> _ask_nova(writing, draft, 'XX', (*source, 'networks'))": "only the word none counts",
        "write_networks: _ask_nova(writing, draft, '', source) -> _ask_nova(writing, draft, 'XX', source)": (
            "only the word none counts"
        ),
    },
    "translators/cloudify/openstack/attributes.py": {
        "Runtime.has_one_address: return False -> return None": "both are false",
    },
    "translators/cloudify/playbooks.py": {
        "script: inputs.pop(_SOURCES, None) -> inputs.pop(_SOURCES, 'XX')": "a text is no inventory either",
        "_host: hosts.get(key) if isinstance(hosts, dict) and len(hosts) == 1 else None -> "
        "hosts.get(key) if isinstance(hosts, dict) and len(hosts) == 1 else 'XX'": "a text is no inventory either",
        "_host: return ('', None) -> return ('XX', None)": "the name of no host is not looked at",
    },
    "translators/cloudify/openstack/network.py": {
        "gets_address: return False -> return None": "both are false",
        "on_subnet: return False -> return None": "both are false",
        "read_gateway_ip: reading.written.take(rule.to or '') -> reading.written.take(rule.to or 'XX')": (
            "the rule has a place"
        ),
        "subnets: node.properties.get('network') if node.kind == 'subnet' and isinstance(node.properties, dict)"
        " else None"
        " -> node.properties.get('network') if node.kind == 'subnet' and isinstance(node.properties, dict) else 'XX'": (
            "neither is a reference"
        ),
        "write_gateway_ip: (rule.to or '').split -> (rule.to or 'XX').split": "the rule has a place",
    },
    "translators/cloudify/openstack/volume.py": {
        "_check_boot: disk.node if isinstance(disk, (ex.Identity, ex.Attribute)) else None"
        " -> disk.node if isinstance(disk, (ex.Identity, ex.Attribute)) else 'XX'": "no node is called that",
        "_read_device: return {} -> return None": "both are left out",
        "boot: return False -> return None": "both are false",
        "number: getattr(item.get('volume_id'), 'node', '') -> getattr(item.get('volume_id'), 'node', 'XX')": (
            "of a relationship it is a volume"
        ),
        "write_devices: (rule.to or '').split -> (rule.to or 'XX').split": "the rule has a place",
        "write_old_devices: (rule.to or '').split -> (rule.to or 'XX').split": "the rule has a place",
    },
    "translators/cloudify/publishing.py": {
        "_END_OF_FILE: Final = 'END_OF_FILE' -> _END_OF_FILE: Final = 'XXEND_OF_FILE'": "any word will do",
        "_add: uses.blocks[_FAILURE] = None -> uses.blocks[_FAILURE] = 'XX'": "only the keys count",
        "_add: uses.blocks[_ID] = None -> uses.blocks[_ID] = 'XX'": "only the keys count",
        "_add: uses.sets[runtime['name']] = None -> uses.sets[runtime['name']] = 'XX'": "only the keys count",
        "_runs_in_documents: text[:command.start()].rstrip(' \\t') -> text[:command.start()].rstrip('XX \\t')": (
            "what stands there is no command of its own"
        ),
        "_runs_in_documents: return False -> return None": "both are false",
        "published: _COMMENT.sub('', body) -> _COMMENT.sub('XX', body)": "no command is on the line of a comment",
        "_uses: commands.rfind('\\n', 0, start) -> commands.rfind('\\n', 1, start)": "a line begins either way",
        "unpublished: published(file, plain, '') -> published(file, plain, 'XX')": "its text is another one then",
    },
    "translators/cloudify/read/branches.py": {
        "_Folder._choice: None if decision is None else self._folded(declared.name)"
        " -> 'XX' if decision is None else self._folded(declared.name)": "without a decision nothing asks for branches",
        "_Folder._is_choice: return False -> return None": "both are false",
    },
    "translators/cloudify/read/computed_values.py": {
        "_runs: return False -> return None": "both are false",
        "_take_away: getattr(expr, 'node', None) -> getattr(expr, 'node', 'XX')": "no node is called that",
        "_take_away: isinstance(name, str) and name in names -> isinstance(name, str) or name in names": (
            "others are not looked for"
        ),
        "_take_away: {name for name in referred if isinstance(name, str) and name in names}"
        " -> {name for name in referred}": "others are not looked for",
        "leave_out_calls: [node for node in nodes.values()"
        " if any((operation.implementation == UPLOADS for operation in node.operations))]"
        " -> [node for node in nodes.values()]": "the others have no such operations",
    },
    "translators/cloudify/read/nodes.py": {
        "_followed: break -> continue": "it stays as it is",
        "_node: 'args' if wrapper else None -> 'args' if wrapper else 'XX'": "no setting is called that",
        "_node: None if is_whole else CONFIG -> 'XX' if is_whole else CONFIG": "no setting is called that",
        "_opened: own.get(key) if key else None -> own.get(key) if key else 'XX'": "a text is no input either",
    },
    "translators/cloudify/read/relationships.py": {
        "_give: return False -> return None": "both are false",
        "_interface: return False -> return None": "both are false",
        "_order_interfaces: return 3 -> return 4": "only the order of the ranks counts",
        "_set_key: return False -> return None": "both are false",
        "fill: return False -> return None": "both are false",
        "short_names: t.rsplit('.', 1) -> t.rsplit('.', 2)": "the last part is the same",
    },
    "translators/cloudify/blueprint_metadata.py": {
        "seen: document.data.get(_SECTION) if isinstance(document.data, dict) else None"
        " -> document.data.get(_SECTION) if isinstance(document.data, dict) else 'XX'": "neither is a map",
    },
    "translators/cloudify/write/blueprint.py": {
        "_version: reason = '' -> pass": "it is told of nothing that is lower than the lowest",
        "_version: reason = '' -> reason = 'XX'": "it is told of nothing that is lower than the lowest",
    },
    "translators/cloudify/write/computed.py": {
        "BlueprintComputing.numbers: Computed(node, None, {}, user) -> Computed(node, 'XX', {}, user)": (
            "its call is not written"
        ),
        "BlueprintComputing.numbers: Node(name, '', computed.KIND, {}, path=path[:2])"
        " -> Node(name, 'XX', computed.KIND, {}, path=path[:2])": "nothing is told of its type",
    },
    "translators/cloudify/write/nodes.py": {
        "_Writer._native_value: getattr(part, 'node', None) -> getattr(part, 'node', 'XX')": "each of them has one",
        "_Writer._real: kind.cloudify.existing if kind.cloudify else 'id'"
        " -> kind.cloudify.existing if kind.cloudify else 'XXid'": "without a counterpart it is a stand-in",
        "_Writer._stand_in: self.rewriter.value(own, (*node.path, 'type'), inert='node')"
        " -> self.rewriter.value(own, (*node.path, 'type'), inert='XXnode')": (
            "it is no call, which a node would compute"
        ),
        "_programs: host.name if host is not None else '' -> host.name if host is not None else 'XX'": (
            "no machine is called that"
        ),
        "_programs: node.properties.get('server') if isinstance(node.properties, dict) else None"
        " -> node.properties.get('server') if isinstance(node.properties, dict) else 'XX'": "neither is a reference",
    },
    "translators/cloudify/write/properties.py": {
        "Properties._is_implied: return False -> return None": "both are false",
        "Properties._vanishing: (rule.to or '').split -> (rule.to or 'XX').split": "neither is a place in a map",
        "Properties._vanishing: return False -> return None": "both are false",
        "Properties.lift: return False -> return None": "both are false",
    },
    "translators/cloudify/write/relationships.py": {
        "LIFTED, REFERENCE, ORDER, IMPLICIT = (3, 2, 1, 0) -> LIFTED, REFERENCE, ORDER, IMPLICIT = (4, 2, 1, 0)": (
            "only the order of the strengths counts"
        ),
    },
    "translators/cloudify/write/rewriter.py": {
        "DslRewriter._needs_only: return False -> return None": "both are false",
        "DslRewriter.is_computed_elsewhere: return False -> return None": "both are false",
        "DslRewriter._required_input: kind='any' -> kind='XXany'": "neither is the name of a type",
        "DslRewriter.asked: ('asked', f'{dotted(path)} {default!r}') -> ('XXasked', f'{dotted(path)} {default!r}')": (
            "any key of its own will do"
        ),
        "DslRewriter.asked: f'{dotted(path)} {default!r}' -> f'{dotted(path)}XX {default!r}'": (
            "any key of its own will do"
        ),
        "DslRewriter.hindering: lambda *_, **__: None -> lambda *_, **__: 'XX'": "nothing asks what a report yields",
        "DslRewriter.is_computed_elsewhere: lambda *_, **__: None -> lambda *_, **__: 'XX'": (
            "nothing asks what a report yields"
        ),
        "DslRewriter.is_held_elsewhere: return False -> return None": "both are false",
        "DslRewriter.text_input: self._required_input(path, description, 'BPC601', key=('text', text))"
        " -> self._required_input(path, description, 'BPC601', key=('XXtext', text))": "any key of its own will do",
        "DslRewriter.tried: lambda *_, **__: None -> lambda *_, **__: 'XX'": "nothing asks what a report yields",
        "DslRewriter.without_effect: self.state(inert='output') -> self.state(inert='XXoutput')": (
            "only the word node is told apart"
        ),
    },
    "translators/cloudify/write/rules.py": {"_is_held: return False -> return None": "both are false"},
}
