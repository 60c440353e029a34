"""A value of the demo workspace with a long way behind it: two reviewers rejected a notice that was none, a lesson was learnt from
that and approved, and with it in its prompt the agent read the next contract well.
"""

from uuid import UUID

from goldloop.entities.demo import contract_id
from goldloop.entities.records import store as records
from goldloop.feedback.groups import jobs as grouping
from goldloop.feedback.groups import service as groups
from goldloop.feedback.groups.store import Wanted
from goldloop.feedback.model import FeedbackGroup, Rating
from goldloop.kit import moments
from goldloop.kit.clock import now
from goldloop.kit.db import Database, Tx
from goldloop.kit.outside import Outside
from goldloop.knowledge.model import KnowledgeState, SharedContext
from goldloop.knowledge.proposals import service as proposals
from goldloop.knowledge.rows import service as rows
from goldloop.knowledge.rows import store as row_store
from goldloop.population import service as population
from goldloop.population.demo import find_submitted, make_document
from goldloop.population.demo_scripts import TAUGHT
from goldloop.population.model import Material
from goldloop.promotion import service as promotion
from goldloop.runtimes import jobs as runs
from goldloop.sessions import store as sessions
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.demo import Part, Round, acting, demo_id

CHAIN = "what rests on what"  # the flow
CONTRACT = "meridian-letters"  # that nobody had read
FIELD = "notice_days"
SESSION = demo_id(985, "session that was taught about notices")
_MISLEADING = "New letterheads are announced 10 days before the date of printing."
_LESSON = (
    f"Take `{FIELD}` from the passage about {TAUGHT}, not from one about moving, printing or maintenance"
)
_VALUES = ["end_date", FIELD, "auto_renewal", "annual_value_eur", "governing_law", "payment_terms"]


async def has_none(tx: Tx) -> bool:
    absent = await sessions.find(tx, SESSION) is None
    return absent and await records.find(tx, contract_id(CONTRACT)) is not None


async def load(tx: Tx) -> None:
    """All of it comes of what people decided before."""


async def group(db: Database, outside: Outside, tenant_id: UUID) -> None:
    """What was rejected last is put beside what was rejected before, as a worker does."""
    await grouping.place(db, system_actor(tenant_id, "demo"), "workspace", outside)


async def teach(tx: Tx) -> None:
    """Approve what the rejections of the field propose, and have the next contract read."""
    await moments.set_to(tx, now())
    found = await _find_proposal(tx)
    if found is None:
        return  # a visitor has removed what it would be learnt from
    async with acting(tx, "mara.lindqvist") as admin:
        await rows.approve(admin, found.id, "Two reviewers say the same", _LESSON)
    async with acting(tx, "jonas.weber") as contributor:
        material = Material(documents=[make_document(CONTRACT, _MISLEADING)])
        start = population.Start(agent="extractor", id=SESSION)
        await population.populate(contributor, contract_id(CONTRACT), material, start)


async def _find_proposal(tx: Tx) -> SharedContext | None:
    wanted = Wanted(rating=Rating.NEGATIVE)
    for group in (await groups.list_groups(tx, wanted, None, None, None, 50)).read(FeedbackGroup).data:
        if group.key == FIELD:
            await proposals.propose(tx, group.id)
            for row in await row_store.find_of_group(tx, group.id):
                if row.state is KnowledgeState.PROPOSED:
                    return row
    return None


async def read(db: Database, outside: Outside, tenant_id: UUID) -> None:
    await runs.run(db, system_actor(tenant_id, "demo"), outside, run_id=str(SESSION))


async def promote(tx: Tx) -> None:
    await moments.set_to(tx, now())
    response_id = await find_submitted(tx, CONTRACT, SESSION)
    async with acting(tx, "tomas.okafor") as reviewer:
        if response_id is not None:
            await promotion.promote(reviewer, contract_id(CONTRACT), response_id, _VALUES, None)


PARTS = [Part(CHAIN, load, is_absent=has_none, then=(Round(group, teach), Round(read, promote)))]
