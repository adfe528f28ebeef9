"""What a language has for taking over what runs: the protocols of its modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from bpconvert.models.running import Created, Recorded
    from bpconvert.translators.support.deploying import Bundle, Step


class Recording(Protocol):
    """What an engine records of a deployment. Both raise ValueError, with the reason, for what is no such record."""

    def exported(self, data: Any) -> Recorded:
        """The deployment that an export is of."""

    def listed(self, template: Any, rows: Any, values: Mapping[str, Any]) -> Recorded:
        """The deployment of a document, as a list of its resources has it; ``values``: the values of its inputs."""

    def unlike(self, recorded: Recorded, rows: Any) -> list[tuple[str, str]]:
        """(name of a resource, how it is otherwise) where a list of resources differs from an export."""

    def flat(self, recorded: Recorded) -> Recorded:
        """The same deployment as one document without nested ones."""


class AdoptionSteps(Protocol):
    """What to do, in order, when what runs is taken over."""

    def taking(self, bundle: Bundle) -> list[tuple[str, list[Step]]]:
        """The steps of the engine that takes over with a result."""

    def releasing(self, owned: bool) -> list[tuple[str, list[Step]]]:
        """The steps of the engine that has created it: first what to look at, then how to let go. ``owned``: the other
        engine owns it."""


class Adopting(Recording, Protocol):
    """One whose engine owns what it takes over."""

    def composed(self, template: Any, created: Created) -> Recorded:
        """The deployment of a document, of whose resources others have created what there is. Values of inputs that
        were not given, and are known, are in its environment."""

    def adoptable(self, recorded: Recorded) -> Recorded:
        """The same with the data by which the engine adopts it."""

    def part(self, recorded: Recorded, wanted: Callable[[str], bool]) -> Recorded:
        """The part of a deployment that is wanted; it refers to the others that it needs."""

    def owns(self, recorded: Recorded, name: str) -> bool:
        """True for a resource that the engine can change and delete when it has adopted it."""
