"""Resources that exist: what an engine has recorded of a deployment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bpconvert.models.light import NamedTuple


class Existing(NamedTuple):
    """A resource that runs. ``id``: what its service calls it; ``type``: that of the template; ``data``: what the
    engine keeps of it; ``value``: the text that it has drawn, "" for none, and ``secret`` the name of the secret that
    has it; ``parts``: ids of what was created for it alone, the ports of a server for instance; ``nested``: it is a
    deployment of its own; ``members``: all that there are of a resource of which there are several; ``called``: what
    the engine calls it, and ``near``: what it calls those to which this one is related, where that is recorded;
    ``yields``: what it yields, as the kind of its node has attributes, where the engine has made it itself and no
    service has it; None for any other."""

    id: str
    type: str = ""
    data: Mapping[str, Any] = {}
    value: str = ""
    secret: str = ""
    parts: tuple[str, ...] = ()
    nested: bool = False
    members: tuple[Existing, ...] = ()
    called: str = ""
    near: tuple[str, ...] = ()
    yields: Mapping[str, str] | None = None


#: name of a resource -> what runs of it
Running = Mapping[str, Existing]


class Created(NamedTuple):
    """What others have created for a document. ``name``: that of the deployment; ``running``: resource of the document
    -> what runs of it; ``parts``: resource of which there are several -> what runs of those that each of them has, by
    their names in its document; ``files``: the documents beside it; ``given``: the values of inputs."""

    name: str
    running: Running
    parts: Mapping[str, Running] = {}
    files: Mapping[str, str] = {}
    given: Mapping[str, Any] = {}


class Recorded(NamedTuple):
    """What an engine records of a deployment. ``document``: the data of the document that it was made from; ``files``:
    those beside it; ``environment``: what it was given; ``problems``: (name of a resource or "", what is wrong) that
    forbid to take over; ``data``: the record as it was read; ``lost``: (name of a resource, setting) and (name of an
    output,) that the document had and cannot have as it is here; ``asking``: resources whose machines go on asking the
    engine that has created them; ``attributes``: name of a resource -> its attributes, as far as they are known;
    ``unread``: (name of a resource, setting, input) that nothing reads again, and of which nothing is known."""

    document: Any
    resources: Running
    environment: Any = None
    files: Mapping[str, str] = {}
    problems: Sequence[tuple[str, str]] = ()
    data: Mapping[str, Any] = {}
    lost: Sequence[tuple[str, ...]] = ()
    asking: Sequence[str] = ()
    attributes: Mapping[str, Mapping[str, Any]] = {}
    unread: Sequence[tuple[str, str, str]] = ()
