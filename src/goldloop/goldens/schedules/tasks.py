"""The kind of task that replays a set of goldens."""

from goldloop.goldens.schedules import service
from goldloop.goldens.schedules.model import EvalRunConfig
from goldloop.sessions.beginning import EVAL_RUN
from goldloop.tasks.kind_service import TaskKind, register

register(TaskKind(name=EVAL_RUN, config=EvalRunConfig, start=service.start, check=service.check))
