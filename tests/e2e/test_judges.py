"""A judge is checked by people and licensed: from the list to the labels, by keyboard alone, and the corrected rate beside the raw one."""

import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from goldloop.kit.ids import new_id
from tests.e2e.conftest import Server, client_with_key
from tests.e2e.model_server import hands_in, is_asked_for_values, model_server, says
from tests.e2e.test_accessibility import LOOKS, check_page
from tests.records import ok
from tests.sessions.recordings import event

EVALS = "/admin/agent-review/evals"
API = "/api/admin/evals"
GOLDENS, REPEATS = 10, 5  # as few as license a judge
VAGUE = "I would have to look that up."


@dataclass
class Court:
    """Fifty judged replays of ten goldens."""

    client: httpx.Client
    rubric: str
    run: str
    judge: str


class Script:
    """Answers every other question; as the judge it passes an answer, and once what is none."""

    def __init__(self) -> None:
        self.lock, self.erred = threading.Lock(), False

    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        if not is_asked_for_values(request):
            question = next(each["content"] for each in request["messages"] if each["role"] == "user")
            number = int(re.findall(r"\d+", str(question))[-1])
            return says(f"The fee of berth {number} is {number} euros." if number % 2 else VAGUE)
        is_answer = VAGUE not in str(request["messages"])
        with self.lock:
            errs = not is_answer and not self.erred
            self.erred = self.erred or errs
        word = "fully" if is_answer or errs else "not_at_all"
        reason = "It says what the fee is." if is_answer or errs else "It does not say what the fee is."
        return hands_in({"verdicts": {"answers": {"rationale": reason, "verdict": word}}})


def _judge_agent(client: httpx.Client) -> str:
    agents = ok(client.get("/api/agents", params={"limit": 200}))["data"]
    return next(f"/api/agents/{each['id']}/config" for each in agents if each["slug"] == "eval-judge")


@pytest.fixture(scope="module")
def court(server: Server) -> Iterator[Court]:
    name = f"berth-{new_id().hex[-8:]}"
    with model_server(Script()) as url, client_with_key(server, name, "--role", "owner") as client:
        dimensions = [{"key": "answers", "label": "Answers", "type": "rating", "scale": [1, 5], "weight": 1}]
        dimensions[0]["description"] = "Does it say what was asked for?"
        criteria = {
            "slug": name,
            "name": f"Answers of {name}",
            "kind": "assessment",
            "dimensions": dimensions,
        }
        rubric = ok(client.post("/api/criteria-sets", json=criteria))
        agent = ok(client.post("/api/agents", json={"slug": f"{name}-clerk", "name": f"Clerk of {name}"}))
        ok(
            client.put(
                f"/api/agents/{agent['id']}/config", json={"model": "openai:scripted", "base_url": url}
            )
        )
        limits = {"requests": 5, "tool_calls": 0, "tokens": 100_000, "seconds": 120}
        configured = _judge_agent(client)
        ok(client.put(configured, json={"limits": limits, "model": "openai:a-judge", "base_url": url}))
        for number in range(GOLDENS):
            asked = f"What is the fee of berth {number}"
            session = ok(
                client.post(
                    "/api/sessions",
                    json={"source": "client", "agent": "outsider", "input": {"message": asked}},
                )
            )
            said = [event("user.message", text=asked)]
            ok(client.post(f"/api/sessions/{session['id']}/events", json=said))
            ended = {"status": "completed", "output": f"{number} euros."}
            ok(client.post(f"/api/sessions/{session['id']}/end", json=ended))
            golden = {"sessionId": session["id"], "set": name, "floor": False, "criteriaSetId": rubric["id"]}
            ok(client.post(f"{API}/golden", json=golden))
        new = {"setName": name, "agents": [{"agent": agent["slug"]}], "baseline": "none", "repeats": REPEATS}
        run = ok(client.post(f"{API}/runs/set", json=new))
        for _ in range(1200):
            judging = ok(client.get(f"{API}/runs/{run['id']}"))["judging"]
            if judging and judging["judged"] == GOLDENS * REPEATS:
                break
            time.sleep(0.2)
        (judge,) = ok(client.get(f"{API}/judges", params={"set": name}))["data"]
        yield Court(client, rubric["name"], run["id"], judge["id"])
        ok(client.put(configured, json={"limits": limits}))


@pytest.fixture
def page(browser: Browser, server: Server, owner_state: StorageState) -> Iterator[Page]:
    context = browser.new_context(base_url=server.url, storage_state=owner_state)
    yield context.new_page()
    context.close()


def label(page: Page, left: int) -> None:
    """By what the agent says, with a key."""
    expect(page.get_by_text(re.compile(rf"^{left} replays? left of"))).to_be_visible()
    said = page.get_by_role("region", name="What happened")
    page.keyboard.press("f" if VAGUE in said.inner_text() else "p")


def test_a_judge_is_labelled_by_keyboard_and_licensed_by_a_person(
    page: Page, court: Court, browser: Browser, server: Server, owner_state: StorageState
) -> None:
    page.goto(f"{EVALS}?tab=judges")
    judges = page.get_by_role("table", name="Judges")
    expect(judges.get_by_role("row").filter(has_text=court.rubric)).to_contain_text("not labelled")
    check_page(page)
    judges.get_by_role("link", name=court.rubric).click()
    expect(page.get_by_text("Nobody has labelled replays that it judged")).to_be_visible()
    expect(page.get_by_text(re.compile("50 more labels wanted"))).to_be_visible()
    check_page(page)
    page.get_by_role("button", name="Draw a sample").click()

    # What the judge says is in no page while people label.
    page.get_by_role("link", name="Label replays").click()
    total = GOLDENS * REPEATS
    expect(page.get_by_text(f"{total} replays left of {total}")).to_be_visible()
    expect(page.get_by_text("It says what the fee is.")).to_have_count(0)
    check_page(page)

    # Rated and with a note, and then said: no pointer. A rating of 1 leaves nothing but that it fails.
    vague = VAGUE in page.get_by_role("region", name="What happened").inner_text()
    page.keyboard.press("r")
    page.keyboard.press("Space" if vague else "ArrowLeft")
    expect(page.get_by_role("button", name="Meets it")).to_be_enabled(enabled=not vague)
    expect(page.get_by_role("button", name="Does not")).to_be_enabled(enabled=vague)
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.keyboard.type("Read to the end.")
    page.keyboard.press("Escape")
    for left in range(total, 0, -1):
        label(page, left)
    expect(page.get_by_text("You have labelled all of it")).to_be_visible()

    page.goto(f"{EVALS}/judges/{court.judge}")
    expect(page.get_by_text("Where they differ")).to_be_visible()
    expect(page.get_by_text("The judge passes it, people fail it")).to_be_visible()
    expect(page.get_by_text("10, at most 10% of the labels of one")).to_be_visible()
    page.get_by_role("button", name="Issue a licence").click()
    expect(page.get_by_text("Licensed", exact=True)).to_be_visible()
    expect(page.get_by_text(re.compile("It rests on 50 labels of 10 goldens"))).to_be_visible()
    check_page(page)

    page.goto(f"{EVALS}/runs/{court.run}")
    rates = page.get_by_role("table", name="Rates by judge").get_by_role("row").nth(1)
    expect(rates).to_contain_text("52% (26 of 50)")
    expect(rates).to_contain_text(re.compile(r"50% \(\d+% to \d+%\)"))
    expect(rates).to_contain_text("Licensed")

    for scheme, width in LOOKS:
        context = browser.new_context(
            base_url=server.url,
            storage_state=owner_state,
            color_scheme=scheme,  # type: ignore[arg-type]
            viewport={"width": width, "height": 844},
        )
        looked = context.new_page()
        for path, words in (
            (f"{EVALS}?tab=judges", court.rubric),
            (f"{EVALS}/judges/{court.judge}", "Where they differ"),
            (f"{EVALS}/labelling", "Nothing waits for your labels"),
            (f"{EVALS}/runs/{court.run}", "by people, who labelled all of it"),
        ):
            looked.goto(path)
            expect(looked.get_by_text(words).filter(visible=True).first).to_be_visible()
            check_page(looked)
        context.close()
