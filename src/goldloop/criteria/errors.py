"""Errors of criteria sets. Pure."""

from goldloop.kit.errors import Conflict, NotFound


class CriteriaSetNotFound(NotFound):
    code, title = "criteria_set_not_found", "There is no such criteria set in this workspace"


class CriteriaSetExists(Conflict):
    code, title = "criteria_set_exists", "A criteria set with this id or slug exists with other content"


class DefaultSetIsReadOnly(Conflict):
    code, title = (
        "default_set_read_only",
        "A default criteria set follows its entity type: change the type instead",
    )


class CriteriaSetChanged(Conflict):
    code, title = "criteria_set_changed", "The criteria set was changed at the same moment: try again"
