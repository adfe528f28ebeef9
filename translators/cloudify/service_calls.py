"""Resources that the OpenStack plugin has no node type for, made and removed by the API of their service.

This module is also a program: a blueprint carries it for the nodes of such types (:mod:`~.cloudify.services`). So it
imports the standard library and ``requests`` only, which every manager has, and runs with Python 3.6 and later. What is
called for which type is data (:class:`~.catalogue.model.Service`), which the node type has."""

import re
import time
from typing import Any
from urllib.parse import quote

#: seconds between two questions, and how often it is asked: an hour, as long as Heat waits
PAUSE, TRIES = 5, 720
#: what is a version at the end of an endpoint, or at the beginning of a path
_VERSION = r"/v\d+(\.\d+)?"
_ID = r"[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}"


class Refused(Exception):
    """What a service does not do, in words."""


def credentials(config: Any) -> Any:
    """The body that asks Keystone for a token; ``config``: the ``client_config`` of a node."""

    def domain(name: str) -> Any:
        if config.get(name + "_domain_id"):
            return {"id": config[name + "_domain_id"]}
        return {"name": config.get(name + "_domain_name") or config.get("domain_name") or "Default"}

    if config.get("application_credential_id"):
        known = {"id": config["application_credential_id"], "secret": config["application_credential_secret"]}
        return {"auth": {"identity": {"methods": ["application_credential"], "application_credential": known}}}
    user = {"password": config["password"]}
    if config.get("user_id"):
        user["id"] = config["user_id"]
    else:
        user.update({"name": config["username"], "domain": domain("user")})
    project = {"id": config.get("project_id") or config.get("tenant_id")}
    if not project["id"]:
        project = {"name": config.get("project_name") or config.get("tenant_name"), "domain": domain("project")}
    identity = {"methods": ["password"], "password": {"user": user}}
    return {"auth": {"identity": identity, "scope": {"project": project}}}


def address(endpoint: str, path: str) -> str:
    """The URL of ``path``, which may begin with a version that ``endpoint`` ends with."""
    endpoint = endpoint.rstrip("/")
    if re.match(_VERSION + "(/|$)", path):
        endpoint = re.sub(_VERSION + "$", "", endpoint)
    return endpoint + path


class Cloud:
    """The services of one project. ``session``: what sends requests (``requests.Session``)."""

    def __init__(self, config: Any, session: Any) -> None:
        self.session = session
        self.region = config.get("region_name")
        if config.get("insecure") or config.get("verify") is False:
            session.verify = False
        elif config.get("ca_cert") or config.get("cacert"):
            session.verify = config.get("ca_cert") or config.get("cacert")
        url = config["auth_url"].rstrip("/")
        url += "" if re.search(_VERSION + "$", url) else "/v3"
        answer = session.post(re.sub(_VERSION + "$", "/v3", url) + "/auth/tokens", json=credentials(config))
        if answer.status_code != 201:
            raise Refused(f"Keystone answers {answer.status_code}: {answer.text[:300]}")
        session.headers["X-Auth-Token"] = answer.headers["X-Subject-Token"]
        token = answer.json()["token"]
        self.catalog, self.project = token["catalog"], token.get("project", {}).get("id", "")

    def endpoint(self, types: Any) -> str:
        """The public endpoint of the first of the services that the project has."""
        for type in types:
            for service in self.catalog:
                for one in service["endpoints"] if service["type"] == type else ():
                    regions = (None, "", one.get("region_id"), one.get("region"))
                    if one["interface"] == "public" and self.region in regions:
                        return str(one["url"])
        raise Refused(f"the cloud has no service of type {types[0]}")

    def send(self, method: str, types: Any, path: str, tries: int = TRIES, **more: Any) -> Any:
        """The answer to a request. One that has to wait for work that goes on is sent again (octavia:
        common/exceptions.py, ``ImmutableObject``; heat: common/exception.py, ``ActionInProgress``); another conflict,
        as with something that exists, does not end."""
        url = address(self.endpoint(types), path)
        for _ in range(tries):
            answer = self.session.request(method, url, **more)
            if answer.status_code != 409 or not re.search("immutable|in progress", answer.text):
                break
            time.sleep(PAUSE)
        return answer

    def asked(self, method: str, types: Any, path: str, **more: Any) -> Any:
        """The data of the answer; raises :class:`Refused`."""
        answer = self.send(method, types, path, **more)
        if answer.status_code >= 400:
            raise Refused(f"{method} {path} is answered {answer.status_code}: {answer.text[:300]}")
        return answer.json() if answer.text else {}


def found(cloud: Cloud, where: Any, value: Any) -> Any:
    """The id of what is called ``value``, which may be an id; ``where``: service, path and key of the list."""
    if not isinstance(value, str) or not value or re.match(_ID + "$", value):
        return value
    service, path, key = where
    rows = cloud.asked("GET", [service], path, params={"name": value})[key]
    rows = [row for row in rows if value in (row["id"], row.get("name"))]
    if len(rows) > 1:  # as Heat chooses (heat: engine/clients/os/neutron.py, ``get_secgroup_uuids``)
        rows = [row for row in rows if cloud.project in (row.get("project_id"), row.get("tenant_id"))] or rows
    if not rows and cloud.send("GET", [service], "{}/{}".format(path, quote(value, safe=""))).status_code == 200:
        return value
    if len(rows) != 1:
        raise Refused(f"{len(rows)} {key} are called {value}")
    return rows[0]["id"]


def named(cloud: Cloud, service: Any, config: Any) -> Any:
    """The id of what is called as ``config`` says, or the ids of several; where it need not be there, its name."""
    where = service["types"][0], service["path"], service["key"]

    def one(value: Any) -> Any:
        try:
            return found(cloud, where, value)
        except Refused:
            if config.get("optional"):
                return value
            raise

    value = config.get("value")  # a condition may leave it out
    return [one(item) for item in value] if isinstance(value, list) else one(value)


def prepared(cloud: Cloud, service: Any, config: Any) -> Any:
    """The path of the list that a resource becomes part of, and the body that makes it."""
    body = {name: value for name, value in config.items() if value is not None}
    for name, where in service.get("find", {}).items():
        if name in body:
            body[name] = found(cloud, where, body[name])
    path = re.sub(r"{(\w+)}", lambda name: str(body.pop(name.group(1))), service["path"])
    return path, body


def state_of(service: Any, data: Any) -> str:
    """The state of a resource: ``ready``, ``failed``, or one to wait in."""
    state = data.get(service["state"]) if service.get("state") else None
    if state in (None, "ACTIVE"):
        return "ready"
    return "failed" if state in ("ERROR", "DEGRADED") else str(state)


def shown(cloud: Cloud, service: Any, place: str) -> Any:
    """What a service says of the resource at ``place``; None where it has none there."""
    answer = cloud.send("GET", service["types"], place)
    if answer.status_code == 404:
        return None
    if answer.status_code >= 400:
        raise Refused(f"GET {place} is answered {answer.status_code}: {answer.text[:300]}")
    data = answer.json()
    return data[service["key"]] if service.get("key") else data


def only(cloud: Cloud, service: Any) -> Any:
    """What a service says of the only resource of its list that the project can use, or of the one that it makes where
    there is none; as Nova finds a network (nova: network/neutron.py, ``_get_available_networks``)."""
    rows = {}
    for query in service["only"]:
        place = service["path"] + query.replace("{project}", cloud.project)
        rows.update({row["id"]: row for row in cloud.asked("GET", service["types"], place)[service["key"]]})
    if len(rows) > 1:
        raise Refused("the project has {} {}, and none is named".format(len(rows), service["key"]))
    if rows:
        return next(iter(rows.values()))
    data = cloud.asked("GET", service["types"], service["otherwise"].replace("{project}", cloud.project))
    return next(iter(data.values()))


#: what a resource is called in the stack that is made for it
_ALONE = "resource"


def _stack(cloud: Cloud, service: Any, place: str) -> Any:
    """What Heat says of the stack at ``place``; nothing where it is gone."""
    return (shown(cloud, {"types": service["types"]}, place) or {}).get("stack", {})


def _settled(cloud: Cloud, service: Any, place: str, action: str, tries: int = TRIES, before: Any = "") -> Any:
    """The stack at ``place`` when the ``action`` has ended; ``before``: when it was updated last, before that."""
    stack: Any = {}
    for _ in range(tries):
        stack = _stack(cloud, service, place)
        status = stack.get("stack_status", "DELETE_COMPLETE")
        if status.startswith(action) and stack.get("updated_time") != before:
            if status.endswith("_COMPLETE"):
                return stack
            if status.endswith("_FAILED"):
                break
        time.sleep(PAUSE)
    raise Refused("{} does not end: {}".format(place, stack.get("stack_status_reason")))


def stacked(cloud: Cloud, service: Any, config: Any, keep: Any, name: str, others: Any) -> Any:
    """Let Heat make a resource in a stack of its own, called ``name``, or in that of another node.

    Returns: its attributes, and as its id what a reference to it yields."""
    properties = {key: value for key, value in config.items() if value is not None}
    within, types, called = service.get("within"), service["types"], _ALONE
    seconds = max([int(value) for key, value in properties.items() if key.lower() == "timeout"] + [0])
    tries = TRIES + seconds // PAUSE
    body: Any = {"timeout_mins": 60 + seconds // 60}
    outputs = {one: ["get_attr", one] for one in service.get("attributes", ())}
    outputs["id"] = ["get_resource"]

    def added(template: Any) -> Any:
        template["resources"][called] = {"type": service["heat"], "properties": properties}
        for one, (function, *rest) in outputs.items():
            value = {function: [called, *rest] if rest else called}
            template.setdefault("outputs", {})[f"{called}.{one}"] = {"value": value}
        return {**body, "template": template}

    if within:
        places = [one["place"] for one in others if one.get("place") and properties.get(within) in one.values()]
        if not places:
            raise Refused(f"{within} is nothing that this deployment has made")
        place, called = places[0], re.sub(r"\W", "_", name)
        properties[within] = {"get_resource": _ALONE}
        for _ in range(tries):  # others become part of it, too, one after the other
            before = _stack(cloud, service, place).get("updated_time")
            template = added(cloud.asked("GET", types, place + "/template"))
            answer = cloud.send("PUT", types, place, tries=1, json=template)
            if answer.status_code != 409:
                break
            time.sleep(PAUSE)
        if answer.status_code >= 400:
            raise Refused(f"PUT {place} is answered {answer.status_code}: {answer.text[:300]}")
        stack = _settled(cloud, service, place, "UPDATE", tries, before)
    else:
        body.update(stack_name=name, disable_rollback=True)
        whole = added({"heat_template_version": "2015-10-15", "resources": {}})
        place = "/stacks/{}/{}".format(name, cloud.asked("POST", types, "/stacks", json=whole)["stack"]["id"])
        keep(None, place)
        stack = _settled(cloud, service, place, "CREATE", tries)
    known = {one["output_key"]: one.get("output_value") for one in stack.get("outputs", ())}
    found = {one: known.get(f"{called}.{one}") for one in outputs}
    keep(found["id"], None if within else place)
    if service.get("ref"):
        found[service["ref"]] = found["id"]
    return found


def created(cloud: Cloud, service: Any, config: Any, keep: Any, name: str = "", others: Any = ()) -> Any:
    """Make a resource and wait until it is there.

    Args:
        service: what is called for its type.
        config: the properties of its body.
        keep: is called with its id and place as soon as they are known, so that it can be removed later.
        name: what a stack is called that is made for it.
        others: what the nodes have that its node is connected to.
    Returns: what the service says of it."""
    if service.get("heat"):
        return stacked(cloud, service, config, keep, name, others)
    if service.get("named"):
        data = {"id": named(cloud, service, config)}
        keep(data["id"], None)
        return data
    if service.get("only"):
        data = only(cloud, service)
        keep(data["id"], None)
        return data
    path, body = prepared(cloud, service, config)
    if service.get("put"):
        cloud.asked("PUT", service["types"], path)
        keep(path, path)
        return {"id": path}
    key = service.get("key")
    data = cloud.asked("POST", service["types"], path, json={key: body} if key else body)
    data = data[key] if key else data
    identity = data["id"]
    place = f"{path}/{identity}"
    keep(identity, place)
    for _ in range(TRIES):
        state = state_of(service, data)
        if state == "ready":
            return data
        if state == "failed":
            break
        time.sleep(PAUSE)
        data = shown(cloud, service, place) or {}
    raise Refused("{} does not become ready: {}".format(place, data.get(service.get("state"))))


def removed(cloud: Cloud, service: Any, place: Any) -> None:
    """Remove the resource at ``place`` and wait until it is gone; None: it was not made."""
    if place is None:
        return
    if service.get("disable"):
        cloud.send("PATCH", service["types"], place, json={service["key"]: {"enabled": False}})
    answer = cloud.send("DELETE", service["types"], place)
    if answer.status_code >= 400 and answer.status_code != 404:
        raise Refused(f"DELETE {place} is answered {answer.status_code}: {answer.text[:300]}")
    if service.get("heat"):
        _settled(cloud, service, place, "DELETE")
    for _ in range(TRIES if service.get("state") else 0):
        data = shown(cloud, service, place)
        if data is None or data.get(service["state"]) == "DELETED":
            return
        time.sleep(PAUSE)
