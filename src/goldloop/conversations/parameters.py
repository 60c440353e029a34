"""The path and query parameters that routes of conversations share. Pure."""

from typing import Annotated

from litestar.params import PathParameter, QueryParameter

from goldloop.conversations.model import ID_CHARACTERS
from goldloop.kit.text import PATH_ID_PATTERN

PathText = Annotated[str, PathParameter(min_length=1, max_length=ID_CHARACTERS, pattern=PATH_ID_PATTERN)]
Named = Annotated[str | None, QueryParameter(min_length=1, max_length=ID_CHARACTERS)]
