"""Write Heat's property and attribute schemas, as the installed engine has them, to ``catalogue/schemas/heat``.

    PYTHON tools/heat_schemas.py [FOLDER]

``PYTHON`` is one of an environment with openstack-heat. One JSON file per namespace of types (``os_nova.json``) and
``index.json`` (every type, aliases). Keys that say nothing are left out; ``catalogue/schemas/__init__.py`` says what
the keys mean. Texts of the engine (descriptions, messages) are not taken.
"""

from __future__ import annotations

import json
import logging
import sys
import warnings
from pathlib import Path
from typing import Any

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

from oslo_service import backend  # noqa: E402

backend.init_backend(backend.BackendType.THREADING)

from heat.common import config, context, template_format  # noqa: E402, F401
from heat.engine import attributes, environment, resource, resources, stack, support, template, translation  # noqa: E402
from oslo_config import cfg  # noqa: E402

FOLDER = Path(__file__).resolve().parent.parent / "translators" / "catalogue" / "schemas" / "heat"
#: constraints that Heat checks without asking a service
_LOCAL = "heat.engine.constraint."


def main(folder: Path) -> None:
    """Write all files below ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files().items():
        (folder / name).write_text(dump(data), encoding="utf-8")


def files() -> dict[str, Any]:
    """File name -> its content."""
    cfg.CONF([], project="heat", default_config_files=[], default_config_dirs=[])
    cfg.CONF.set_override("environment_dir", str(Path(sys.prefix) / "etc" / "heat" / "environment.d"))
    known = resources.global_env()
    found: dict[str, dict[str, Any]] = {}
    aliases: dict[str, str] = {}
    for name, info in sorted(known.registry._registry.items()):
        if isinstance(info, environment.ClassResourceInfo):
            found.setdefault(namespace(name), {})[name] = _type(name, info.value)
        elif isinstance(info, environment.ResourceInfo):
            aliases[name] = info.value if isinstance(info, environment.MapResourceInfo) else ""
    local = sorted(
        name
        for name, constraint in known.constraints.items()
        if constraint.__module__.startswith(_LOCAL) and not name.startswith("test_")
    )
    index = {
        "aliases": aliases,
        "local_constraints": local,
        "types": sorted(t for rows in found.values() for t in rows),
    }
    return {"index.json": index} | {f"{name}.json": rows for name, rows in sorted(found.items())}


def namespace(name: str) -> str:
    """``OS::Nova::Server`` -> ``os_nova``."""
    return "_".join(name.split("::")[:-1]).lower()


def dump(data: dict[str, Any]) -> str:
    """A type, or a row of the index, per line."""
    rows = (f"{json.dumps(key)}:{json.dumps(row, separators=(',', ':'), sort_keys=True)}" for key, row in data.items())
    return "{" + ",\n".join(rows) + "}\n"


def _type(name: str, cls: Any) -> dict[str, Any]:
    row: dict[str, Any] = {"properties": {key: _schema(schema) for key, schema in cls.properties_schema.items()}}
    known = {**cls.base_attributes_schema, **cls.attributes_schema}
    row["attributes"] = {key: _attribute(schema) for key, schema in known.items()}
    if cls.get_attribute is not resource.Resource.get_attribute:
        row["any_attribute"] = True
    if cls.reparse is not resource.Resource.reparse and not cls.properties_schema:
        row["any_property"] = True
    policy = getattr(cls, "update_policy_schema", None)
    if policy:
        row["update_policy"] = {key: _schema(schema) for key, schema in policy.items()}
    if not callable(getattr(cls, "handle_snapshot_delete", None)):
        row["no_snapshot"] = True
    replaced = _replaced(name)
    if replaced:
        row["replaced_by"] = replaced
    return {**row, **_status(cls.support_status)}


def _schema(schema: Any) -> dict[str, Any]:
    row: dict[str, Any] = {"type": schema.type.lower()}
    for key in ("required", "allow_conversion"):
        if getattr(schema, key):
            row[key] = True
    if schema.default is not None:
        row["default"] = schema.default
    if not schema.implemented:
        row["unimplemented"] = True
    if schema.schema is not None:
        if schema.type == "List":
            row["items"] = _schema(schema.schema["*"])
        else:
            row["keys"] = {key: _schema(inner) for key, inner in schema.schema.items()}
    rules = [
        {key: _plain(value) for key, value in dict(rule).items() if key != "description"} for rule in schema.constraints
    ]
    if rules:
        row["constraints"] = rules
    return {**row, **_status(schema.support_status)}


def _attribute(schema: Any) -> dict[str, Any]:
    kind = {} if schema.type is None or schema.type == attributes.Schema.UNKNOWN else {"type": schema.type.lower()}
    return {**kind, **_status(schema.support_status)}


def _status(status: Any) -> dict[str, Any]:
    if status is None or status.status == support.SUPPORTED:
        return {}
    row = {"status": status.status.lower()}
    if status.version:
        row["since"] = status.version
    return row


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=list))


def _replaced(name: str) -> dict[str, list[str]]:
    """Property -> the old properties that Heat takes for it (``heat.engine.translation``)."""
    document = {"heat_template_version": "2021-04-16", "resources": {"r": {"type": name}}}
    read = template.Template(template_format.parse(json.dumps(document)))
    found: dict[str, list[str]] = {}
    try:
        whole = stack.Stack(context.RequestContext(), "s", read)
        one = whole["r"]
        rules = one.translation_rules(one.properties) or []
    except Exception as error:
        print(f"{name}: no translation rules: {type(error).__name__}: {error}", file=sys.stderr)
        return {}
    for rule in rules:
        replaces = rule.rule == translation.TranslationRule.REPLACE
        source = rule.get_value_absolute_path(full_value_name=True) if replaces else None
        if source and len(rule.translation_path) == len(source):
            found.setdefault(".".join(rule.translation_path), []).append(".".join(source))
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
