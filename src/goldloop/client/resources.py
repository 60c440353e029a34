"""The single source of what a client offers: each group of methods once, for both clients."""

from typing import Generic

from goldloop.client.archives import ArchiveMethods
from goldloop.client.artifact_evals import ArtifactEvalMethods
from goldloop.client.audit import AuditMethods
from goldloop.client.calls import Kind
from goldloop.client.chain import ChainMethods
from goldloop.client.connections import ClaimMethods, ConnectionMethods
from goldloop.client.conversations import ConversationMethods
from goldloop.client.erasures import ErasureMethods
from goldloop.client.eval_runs import EvalRunMethods
from goldloop.client.evals import EvalMethods
from goldloop.client.experiments import ExperimentMethods
from goldloop.client.feedback import FeedbackMethods
from goldloop.client.judges import JudgeMethods
from goldloop.client.knowledge import KnowledgeMethods
from goldloop.client.limits import LimitMethods
from goldloop.client.records import (
    CriteriaSetMethods,
    EntityMethods,
    EntityTypeMethods,
    PromotionMethods,
    ViewMethods,
)
from goldloop.client.responses import ResponseMethods
from goldloop.client.saved_lists import SavedListMethods
from goldloop.client.sessions import SessionMethods
from goldloop.client.tasks import PopulationMethods, TaskMethods
from goldloop.client.webhooks import WebhookMethods
from goldloop.client.workspace import (
    AgentMethods,
    InboxMethods,
    JobMethods,
    KeyMethods,
    MemberMethods,
    ToolMethods,
    WorkspaceMethods,
)


class Resources(Generic[Kind]):
    def __init__(self, sender: Kind) -> None:
        self.workspace = WorkspaceMethods[Kind](sender)
        self.members = MemberMethods[Kind](sender)
        self.agents = AgentMethods[Kind](sender)
        self.keys = KeyMethods[Kind](sender)
        self.entity_types = EntityTypeMethods[Kind](sender)
        self.entities = EntityMethods[Kind](sender)
        self.saved_lists = SavedListMethods[Kind](sender)
        self.criteria_sets = CriteriaSetMethods[Kind](sender)
        self.responses = ResponseMethods[Kind](sender)
        self.promotion = PromotionMethods[Kind](sender)
        self.connections = ConnectionMethods[Kind](sender)
        self.claims = ClaimMethods[Kind](sender)
        self.conversations = ConversationMethods[Kind](sender)
        self.sessions = SessionMethods[Kind](sender)
        self.tasks = TaskMethods[Kind](sender)
        self.population = PopulationMethods[Kind](sender)
        self.feedback = FeedbackMethods[Kind](sender)
        self.knowledge = KnowledgeMethods[Kind](sender)
        self.evals = EvalMethods[Kind](sender)
        self.eval_runs = EvalRunMethods[Kind](sender)
        self.experiments = ExperimentMethods[Kind](sender)
        self.judges = JudgeMethods[Kind](sender)
        self.chain = ChainMethods[Kind](sender)
        self.views = ViewMethods[Kind](sender)
        self.artifact_evals = ArtifactEvalMethods[Kind](sender)
        self.webhooks = WebhookMethods[Kind](sender)
        self.archives = ArchiveMethods[Kind](sender)
        self.tools = ToolMethods[Kind](sender)
        self.jobs = JobMethods[Kind](sender)
        self.inbox = InboxMethods[Kind](sender)
        self.audit = AuditMethods[Kind](sender)
        self.erasures = ErasureMethods[Kind](sender)
        self.limits = LimitMethods[Kind](sender)
