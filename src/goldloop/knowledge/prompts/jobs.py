"""What runs have in their prompts, and what sessions elsewhere say that they had."""

from goldloop.kit.events import Listener, listen
from goldloop.knowledge.prompts import service
from goldloop.runtimes import prompt_service
from goldloop.sessions import events

prompt_service.register(service.load_for_run)
listen(events.CREATED.name, Listener(act=service.check_manifest))
