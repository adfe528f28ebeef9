"""The script that makes resources which the OpenStack plugin has no type for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bpconvert.translators.cloudify import service_calls as calls
from bpconvert.translators.cloudify import services

CONFIG = {"auth_url": "https://id.example.org/v3/", "username": "me", "password": "p", "project_name": "shop"}
SERVICE: dict[str, Any] = {
    "types": ["load-balancer"],
    "path": "/v2.0/lbaas/pools/{pool_id}/members",
    "key": "member",
    "state": "provisioning_status",
    "find": {"pool_id": ["load-balancer", "/v2.0/lbaas/pools", "pools"]},
}
PLACE = "/v2.0/lbaas/pools/7/members/9"


class Answer:
    """What a service answers."""

    def __init__(self, status: int, data: Any = None, headers: Any = None) -> None:
        self.status_code, self.headers = status, headers or {}
        self.text = "" if data is None else json.dumps(data)

    def json(self) -> Any:
        return json.loads(self.text)


class Session:
    """Answers requests by ``answers``: (method, end of the URL) -> answers, one after the other; the last one stays."""

    def __init__(self, answers: dict[tuple[str, str], list[Answer]], url: str = "https://lb.example.org/v2.0/") -> None:
        self.answers, self.verify = answers, True
        self.sent: list[Any] = []
        self.headers: dict[str, str] = {}
        self.project: dict[str, str] = {}
        ends = [{"interface": "internal", "url": "x", "region": "one"}]
        ends += [{"interface": "public", "url": url, "region": name} for name in ("two", "one")]
        self.catalog = [{"type": "load-balancer", "endpoints": ends}]

    def post(self, url: str, json: Any) -> Answer:
        assert url == "https://id.example.org/v3/auth/tokens"
        self.login = json
        return Answer(201, {"token": {"catalog": self.catalog, "project": self.project}}, {"X-Subject-Token": "t"})

    def request(self, method: str, url: str, **more: Any) -> Answer:
        path = url.removeprefix("https://lb.example.org")
        self.sent.append((method, path, more.get("json")))
        row = self.answers[method, path]
        return row.pop(0) if len(row) > 1 else row[0]


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls.time, "sleep", lambda seconds: None)


def member(state: str) -> dict[str, Any]:
    return {"member": {"id": "9", "provisioning_status": state}}


IMMUTABLE = {"faultstring": "Load Balancer 7 is immutable and cannot be updated."}


def test_what_exists_already_is_not_waited_for() -> None:
    """A conflict that does not end; it was asked for an hour."""
    session = Session({
        ("GET", "/v2.0/lbaas/pools"): [Answer(200, {"pools": [{"id": "7", "name": "front"}]})],
        ("POST", "/v2.0/lbaas/pools/7/members"): [Answer(409, {"faultstring": "It exists."})],
    })  # fmt: skip
    with pytest.raises(calls.Refused, match=r"is answered 409: .*It exists\."):
        calls.created(calls.Cloud(CONFIG, session), SERVICE, {"pool_id": "front"}, lambda *found: None)
    assert [method for method, *_ in session.sent] == ["GET", "POST"]


def test_a_resource_is_made_when_its_service_says_so() -> None:
    session = Session({
        ("GET", "/v2.0/lbaas/pools"): [Answer(200, {"pools": [{"id": "7", "name": "front"}]})],
        ("POST", "/v2.0/lbaas/pools/7/members"): [Answer(409, IMMUTABLE), Answer(201, member("PENDING_CREATE"))],
        ("GET", PLACE): [Answer(200, member("PENDING_UPDATE")), Answer(200, member("ACTIVE"))],
    })  # fmt: skip
    kept: list[Any] = []
    cloud = calls.Cloud({**CONFIG, "region_name": "one"}, session)
    config = {"pool_id": "front", "address": "10.0.0.3", "subnet_id": None}
    made = calls.created(cloud, SERVICE, config, lambda *found: kept.append(found))
    assert made == member("ACTIVE")["member"]
    assert kept == [("9", PLACE)]
    assert session.sent[1] == ("POST", "/v2.0/lbaas/pools/7/members", {"member": {"address": "10.0.0.3"}})
    assert [method for method, *_ in session.sent] == ["GET", "POST", "POST", "GET", "GET"]
    assert session.headers == {"X-Auth-Token": "t"}
    assert session.login["auth"]["scope"] == {"project": {"name": "shop", "domain": {"name": "Default"}}}


def test_what_fails_is_said() -> None:
    session = Session({
        ("POST", "/v2.0/lbaas/pools/7/members"): [Answer(400, {"fault": "no"}), Answer(201, member("ERROR"))],
        ("GET", "/v2.0/lbaas/pools"): [Answer(200, {"pools": []})],
        ("GET", "/v2.0/lbaas/pools/front"): [Answer(404)],
    })  # fmt: skip
    cloud = calls.Cloud(CONFIG, session)
    with pytest.raises(calls.Refused, match="0 pools are called front"):
        calls.created(cloud, SERVICE, {"pool_id": "front"}, print)
    by_id = {key: value for key, value in SERVICE.items() if key != "find"}
    with pytest.raises(calls.Refused, match=r'is answered 400: ."fault": "no"'):
        calls.created(cloud, by_id, {"pool_id": "7"}, print)
    with pytest.raises(calls.Refused, match="does not become ready: ERROR"):
        calls.created(cloud, by_id, {"pool_id": "7"}, lambda *_: None)
    with pytest.raises(calls.Refused, match="no service of type dns"):
        cloud.endpoint(["dns"])


def test_a_resource_is_gone_when_its_service_says_so() -> None:
    session = Session({
        ("DELETE", PLACE): [Answer(409, IMMUTABLE), Answer(204)],
        ("GET", PLACE): [Answer(200, member("PENDING_DELETE")), Answer(404)],
    })  # fmt: skip
    calls.removed(calls.Cloud(CONFIG, session), SERVICE, PLACE)
    assert [method for method, *_ in session.sent] == ["DELETE", "DELETE", "GET", "GET"]


@pytest.mark.parametrize(
    ("endpoint", "path", "url"),
    [
        ("https://a/v2.0/", "/v2.0/x", "https://a/v2.0/x"),
        ("https://a", "/v2.0/x", "https://a/v2.0/x"),
        ("https://a/v1/AUTH_1", "/x", "https://a/v1/AUTH_1/x"),
        ("https://a/identity/v3", "/v3/x", "https://a/identity/v3/x"),
    ],
)
def test_a_version_stands_once(endpoint: str, path: str, url: str) -> None:
    assert calls.address(endpoint, path) == url


def test_a_login_is_that_of_the_plugin() -> None:
    body = calls.credentials({"application_credential_id": "i", "application_credential_secret": "s"})
    assert body["auth"]["identity"]["application_credential"] == {"id": "i", "secret": "s"}
    body = calls.credentials({"user_id": "u", "password": "p", "tenant_id": "7"})["auth"]
    assert body["identity"]["password"]["user"] == {"password": "p", "id": "u"}
    assert body["scope"] == {"project": {"id": "7"}}


def test_the_script_is_a_program_of_its_own() -> None:
    compile(services.program(), "script", "exec")
    assert services.is_program(None)
    assert services.is_program(services.program())
    assert not services.is_program("print()")


FOUND: dict[str, Any] = {
    "types": ["load-balancer"], "path": "/v2.0/networks", "key": "networks",
    "only": ["?project_id={project}&shared=false", "?shared=true"], "otherwise": "/v2.0/auto/{project}",
}  # fmt: skip
OWN, SHARED = "/v2.0/networks?project_id=p1&shared=false", "/v2.0/networks?shared=true"


@pytest.mark.parametrize(
    ("own", "shared", "id"), [(["a"], [], "a"), ([], ["b"], "b"), (["a"], ["a"], "a"), ([], [], "c")]
)
def test_the_only_resource_is_found_and_not_removed(own: list[str], shared: list[str], id: str) -> None:
    lists = {
        ("GET", place): [Answer(200, {"networks": [{"id": one} for one in ids]})]
        for place, ids in ((OWN, own), (SHARED, shared))
    }
    session = Session({**lists, ("GET", "/v2.0/auto/p1"): [Answer(200, {"auto_allocated_topology": {"id": "c"}})]})
    session.project = {"id": "p1"}
    cloud = calls.Cloud(CONFIG, session)
    kept: list[Any] = []
    assert calls.created(cloud, FOUND, {}, lambda *known: kept.append(known))["id"] == id
    assert kept == [(id, None)]
    calls.removed(cloud, FOUND, None)
    assert {method for method, *_ in session.sent} == {"GET"}


def test_several_resources_are_not_the_only_one() -> None:
    lists = {
        ("GET", OWN): [Answer(200, {"networks": [{"id": "a"}]})],
        ("GET", SHARED): [Answer(200, {"networks": [{"id": "b"}]})],
    }
    session = Session(lists)
    session.project = {"id": "p1"}
    with pytest.raises(calls.Refused, match="the project has 2 networks, and none is named"):
        calls.created(calls.Cloud(CONFIG, session), FOUND, {}, print)


GROUPS: dict[str, Any] = {"types": ["load-balancer"], "path": "/v2.0/groups", "key": "groups", "named": True}
ID = "5a1b7c9e-0f3d-4c57-9e55-0d7a2c1f4b6d"


@pytest.mark.parametrize(
    ("rows", "value", "id"),
    [
        ([{"id": "1", "name": "web"}, {"id": "2", "name": "web of others"}], "web", "1"),
        ([{"id": "1", "name": "web", "tenant_id": "p2"}, {"id": "2", "name": "web", "tenant_id": "p1"}], "web", "2"),
        ([{"id": "1", "name": "web", "project_id": "p1"}, {"id": "2", "name": "web"}], ["web", ID, ""], ["1", ID, ""]),
        ([], ID, ID),
        ([], None, None),
        ([], [], []),
    ],
)
def test_a_name_is_looked_up_as_heat_does(rows: list[Any], value: Any, id: Any) -> None:
    """An id stays, and of several the one of the own project is meant (heat: clients/os/neutron.py)."""
    session = Session({("GET", "/v2.0/groups"): [Answer(200, {"groups": rows})]})
    session.project = {"id": "p1"}
    cloud = calls.Cloud(CONFIG, session)
    kept: list[Any] = []
    assert calls.created(cloud, GROUPS, {"value": value}, lambda *known: kept.append(known)) == {"id": id}
    assert kept == [(id, None)]


def test_a_name_that_is_an_id_is_looked_up_by_it() -> None:
    session = Session({
        ("GET", "/v2.0/groups"): [Answer(200, {"groups": []})],
        ("GET", "/v2.0/groups/a%2Fb"): [Answer(200, {"group": {"id": "a/b"}})],
    })  # fmt: skip
    assert calls.created(calls.Cloud(CONFIG, session), GROUPS, {"value": "a/b"}, print) == {"id": "a/b"}


def test_a_name_that_nothing_has_ends_the_deployment_unless_it_may_be_missing() -> None:
    session = Session({
        ("GET", "/v2.0/groups"): [Answer(200, {"groups": []})],
        ("GET", "/v2.0/groups/web"): [Answer(404)],
    })  # fmt: skip
    cloud = calls.Cloud(CONFIG, session)
    with pytest.raises(calls.Refused, match="0 groups are called web"):
        calls.created(cloud, GROUPS, {"value": ["web"]}, print)
    assert calls.created(cloud, GROUPS, {"value": ["web"], "optional": True}, lambda *_: None) == {"id": ["web"]}


def test_a_name_that_several_have_ends_the_deployment() -> None:
    rows = [{"id": "1", "name": "web"}, {"id": "2", "name": "web"}]
    session = Session({("GET", "/v2.0/groups"): [Answer(200, {"groups": rows})]})
    with pytest.raises(calls.Refused, match="2 groups are called web"):
        calls.created(calls.Cloud(CONFIG, session), GROUPS, {"value": "web"}, print)


# -- stacks of Heat -----------------------------------------------------------------------------------------

HANDLE: dict[str, Any] = {"types": ["load-balancer"], "path": "/stacks", "heat": "OS::Heat::WaitConditionHandle"}
HANDLE["attributes"] = ["curl_cli"]
WAIT: dict[str, Any] = {**HANDLE, "heat": "OS::Heat::WaitCondition", "attributes": ["data"], "within": "handle"}
STACK = "/v1/p1/stacks/d-1/7"


def stack(status: str, **outputs: str) -> Answer:
    found = [{"output_key": key.replace("__", "."), "output_value": value} for key, value in outputs.items()]
    time = None if status.startswith("CREATE") else status.removesuffix("_IN_PROGRESS").removesuffix("_COMPLETE")
    row = {"stack_status": status, "stack_status_reason": "why", "updated_time": time, "outputs": found}
    return Answer(200, {"stack": row})


def test_heat_makes_a_resource_in_a_stack_of_its_own() -> None:
    done = stack("CREATE_COMPLETE", resource__curl_cli="curl x", resource__id="u")
    session = Session(
        {
            ("POST", "/v1/p1/stacks"): [Answer(201, {"stack": {"id": "7"}})],
            ("GET", STACK): [stack("CREATE_IN_PROGRESS"), done, stack("DELETE_IN_PROGRESS"), Answer(404)],
            ("DELETE", STACK): [Answer(204)],
        },
        url="https://lb.example.org/v1/p1",
    )
    cloud = calls.Cloud(CONFIG, session)
    kept: list[Any] = []
    made = calls.created(cloud, HANDLE, {"signal_transport": None}, lambda *known: kept.append(known), "d-1")
    assert made == {"curl_cli": "curl x", "id": "u"}
    assert kept == [(None, "/stacks/d-1/7"), ("u", "/stacks/d-1/7")]
    body = session.sent[0][2]
    assert body["template"]["resources"] == {"resource": {"type": "OS::Heat::WaitConditionHandle", "properties": {}}}
    assert body["stack_name"] == "d-1"
    calls.removed(cloud, HANDLE, kept[-1][1])
    assert session.sent[-1][0] == "GET"


def test_a_wait_condition_is_in_the_stack_of_its_handle() -> None:
    template = {"heat_template_version": "2015-10-15", "resources": {"resource": {}}, "outputs": {"a": {}}}
    session = Session(
        {
            ("GET", STACK + "/template"): [Answer(200, template)],
            ("PUT", STACK): [Answer(409, {"error": "already has an action (UPDATE) in progress"}), Answer(202)],
            ("GET", STACK): [
                stack("CREATE_COMPLETE"),
                stack("CREATE_COMPLETE"),
                stack("CREATE_COMPLETE"),
                stack("UPDATE_IN_PROGRESS"),
                stack("UPDATE_COMPLETE", w_1__data="{}", w_1__id="w"),
            ],
        },
        url="https://lb.example.org/v1/p1",
    )
    kept: list[Any] = []
    others = [{"id": "x"}, {"id": "u", "place": "/stacks/d-1/7"}]
    config = {"handle": "u", "timeout": 7200, "count": 2}
    made = calls.created(
        calls.Cloud(CONFIG, session), WAIT, config, lambda *known: kept.append(known), name="w-1", others=others
    )
    assert made == {"data": "{}", "id": "w"}
    assert kept == [("w", None)]
    body = next(body for method, _, body in session.sent if method == "PUT")
    assert body["template"]["resources"]["w_1"]["properties"]["handle"] == {"get_resource": "resource"}
    assert body["timeout_mins"] == 180


@pytest.mark.parametrize("others", [[], [{"id": "x", "place": "/stacks/d-1/7"}], [{"id": "u"}]])
def test_a_handle_of_nothing_is_refused(others: list[dict[str, str]]) -> None:
    with pytest.raises(calls.Refused, match="handle is nothing that this deployment has made"):
        calls.created(calls.Cloud(CONFIG, Session({})), WAIT, {"handle": "u"}, print, "w-1", others)


def test_a_stack_that_fails_is_said() -> None:
    answers = {
        ("POST", "/v1/p1/stacks"): [Answer(201, {"stack": {"id": "7"}})],
        ("GET", STACK): [stack("CREATE_FAILED")],
    }
    with pytest.raises(calls.Refused, match="does not end: why"):
        calls.created(
            calls.Cloud(CONFIG, Session(answers, url="https://lb.example.org/v1/p1")),
            HANDLE,
            {},
            lambda *_: None,
            "d-1",
        )
