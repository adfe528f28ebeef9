"""The versions of HOT: dates, aliases, and the order between them (heat's ``setup.cfg``, ``heat.templates``)."""

from __future__ import annotations

from bisect import bisect_right

from bpconvert.models.light import NamedTuple


class Version(NamedTuple):
    """One template version. ``rank`` orders versions; ``alias`` is the name that may stand for the date."""

    rank: int
    date: str
    release: str
    alias: str | None
    adds: str

    def has(self, date: str) -> bool:
        """True when what came with the version of ``date`` exists in this one."""
        return self.date >= date


_ROWS = (
    ("2013-05-23", "icehouse", "the base functions and nine CloudFormation functions"),
    ("2014-10-16", "juno", "get_attr hands over the path; all CloudFormation functions but Fn::Select are rejected"),
    ("2015-04-30", "kilo", "repeat, digest"),
    ("2015-10-15", "liberty", "str_split; several lists and JSON items in list_join; JSON values in str_replace; "
                              "all attributes with get_attr; Fn::Select is rejected"),
    ("2016-04-08", "mitaka", "map_merge"),
    ("2016-10-14", "newton", "conditions, if, yaql, map_replace, external_id, maps in repeat"),
    ("2017-02-24", "ocata", "filter, str_replace_strict, the modulo constraint"),
    ("2017-09-01", "pike", "make_url, list_concat, list_concat_unique, contains, str_replace_vstrict, "
                           "permutations in repeat, yaql and contains in conditions"),
    ("2018-03-02", "queens", "parameter tags"),
    ("2018-08-31", "rocky", "nothing"),
    ("2021-04-16", "wallaby", "if without an else branch"),
)  # fmt: skip

#: date -> version, oldest first. Releases before newton have no alias.
VERSIONS: dict[str, Version] = {
    date: Version(rank, date, release, release if date >= "2016-10-14" else None, adds)
    for rank, (date, release, adds) in enumerate(_ROWS)
}
_BY_ALIAS = {version.alias: version for version in VERSIONS.values() if version.alias}
_ORDERED = list(VERSIONS.values())
LATEST = _ORDERED[-1]


def resolve_version(text: object) -> Version | None:
    """The version that ``heat_template_version: text`` means (a date or an alias); None: the engine has none."""
    if not isinstance(text, str):
        return None
    return VERSIONS.get(text) or _BY_ALIAS.get(text)


def nearest_version(text: object) -> Version:
    """The latest known version not newer than ``text`` (a date or a release name); the oldest for older dates.

    Release names count up through the alphabet and start again after ``zed``: a name before ``icehouse`` is newer
    than all that are known. What is neither a date nor a word is read as the latest version."""
    if not isinstance(text, str):
        return LATEST
    version_known = resolve_version(text)
    if version_known is not None:
        return version_known
    word = text.strip().lower()
    if word[:1].isdigit():
        position = bisect_right([version.date for version in _ORDERED], word)
        return _ORDERED[max(position - 1, 0)]
    position = bisect_right([version.release for version in _ORDERED], word)
    return _ORDERED[position - 1]
