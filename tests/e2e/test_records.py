"""The first flow as people see it: a type, its criteria sets, a record; two people and an agent propose, a reviewer
accepts one value, rejects another and takes it back."""

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, StorageState, expect

from tests.e2e.conftest import Server, client_with_key, keyed
from tests.e2e.test_accessibility import LOOKS, check_page


@pytest.fixture(scope="module")
def program(server: Server) -> httpx.Client:
    """An admin's client in the first workspace, with a key from the command line."""
    return client_with_key(server, "story", "--role", "admin")


def _agent(server: Server, program: httpx.Client, name: str) -> httpx.Client:
    """A new agent's client: it proposes, and decides nothing."""
    agent = _made(program.post("/api/agents", json={"slug": name, "name": name}))
    wanted = {"name": name, "role": "contributor", "agent_id": agent["id"]}
    return keyed(server, _made(program.post("/api/keys", json=wanted))["key"])


def _made(answer: httpx.Response) -> Any:
    assert answer.status_code == 201, answer.text
    return answer.json()


def _define_type(page: Page) -> None:
    """A supplier has a country and a number of employees."""
    page.goto("/build/types")
    page.get_by_role("button", name="New entity type").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Supplier")
    dialog.get_by_role("button", name="Save type").click()
    fields = page.get_by_role("region", name="Fields")
    fields.get_by_role("button", name="New field").click()
    fields.get_by_label("Label").fill("Country")
    fields.get_by_role("button", name="New field").click()
    fields.get_by_label("Label").nth(1).fill("Employees")
    fields.get_by_label("Type").nth(1).select_option(label="Whole number")
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_text("Everything is saved")).to_be_visible()


def _see_default_set(page: Page) -> None:
    """It came with the type, asks for its fields and cannot be edited."""
    page.goto("/build/criteria-sets")
    own = page.get_by_role("link", name="Supplier fields", exact=True)  # there may be others like it
    row = page.get_by_role("row").filter(has=own)
    expect(row).to_contain_text("Default")
    own.click()
    expect(page.get_by_text("This default set follows its entity type")).to_be_visible()
    expect(page.get_by_role("table", name="Dimensions")).to_contain_text("Employees")
    expect(page.get_by_role("button", name=re.compile("Save|Delete"))).to_have_count(0)


def _define_scored_set(page: Page) -> None:
    page.goto("/build/criteria-sets")
    page.get_by_role("link", name="New criteria set").or_(
        page.get_by_role("button", name="New criteria set")
    ).first.click()
    basics = page.get_by_role("region", name="Basics")
    basics.get_by_label("Name").fill("Trust")
    basics.get_by_role("combobox", name="Entity types").fill("Supplier")
    page.get_by_role("option", name="Supplier", exact=True).click()
    page.keyboard.press("Escape")  # the list stays open for more, over what is below
    expect(page.get_by_role("listbox")).to_have_count(0)
    dimensions = page.get_by_role("region", name="Dimensions")
    dimensions.get_by_role("button", name="Rating").click()
    dimensions.get_by_label("Label").fill("Reliability")
    page.get_by_role("button", name="Save criteria set").click()
    expect(page.get_by_role("heading", name="Trust").first).to_be_visible()
    expect(page.get_by_text("Everything is saved")).to_be_visible()


def _make_record(page: Page) -> str:
    """Its id, as the address of its page says it."""
    page.goto("/records?type=supplier")
    page.get_by_role("button", name="New record").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Title").fill("Halden Works")
    dialog.get_by_label("Country").fill("Sweden")
    dialog.get_by_role("button", name="Save record").click()
    expect(page.get_by_role("heading", name="Halden Works", level=1)).to_be_visible()
    return page.url.split("/records/")[1].split("?")[0]


def _join(browser: Browser, server: Server, program: httpx.Client, name: str, role: str) -> Page:
    """Somebody who was invited, in a browser of their own."""
    email = f"{name.split()[0].lower()}@example.org"
    token = _made(program.post("/api/members", json={"email": email, "role": role}))["invite_token"]
    page = browser.new_context(base_url=server.url).new_page()
    page.goto(f"/join#token={token}")
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Password", exact=True).fill("a long enough one")
    page.get_by_role("button", name=re.compile("Join")).click()
    expect(page.get_by_role("heading", name="Records", level=1)).to_be_visible()
    return page


def _new_response(page: Page, record_id: str, criteria_set: str) -> Locator:
    page.goto(f"/records/{record_id}?tab=responses")
    page.get_by_role("button", name="New response").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Criteria set").select_option(label=criteria_set)
    return dialog


def _submit(dialog: Locator) -> None:
    dialog.get_by_role("button", name="Submit response").click()
    expect(dialog).to_have_count(0)


def _row(page: Page, who: str) -> Locator:
    return page.get_by_role("article", name=f"Response by {who}")


def test_a_record_from_its_type_to_an_accepted_value_and_back(
    browser: Browser, server: Server, owner_state: StorageState, program: httpx.Client
) -> None:
    admin = browser.new_context(base_url=server.url, storage_state=owner_state).new_page()
    _define_type(admin)
    _see_default_set(admin)
    _define_scored_set(admin)
    record_id = _make_record(admin)

    # Two people propose with the form, an agent with its tool.
    mara = _join(browser, server, program, "Mara Lind", "contributor")
    jon = _join(browser, server, program, "Jon Ek", "reviewer")
    dialog = _new_response(mara, record_id, "Supplier fields")
    dialog.get_by_label("Country").fill("Denmark")
    mara.keyboard.press("Escape")  # by mistake: nothing is lost
    expect(dialog).to_have_count(0)
    mara.get_by_role("button", name="New response").click()
    expect(dialog.get_by_label("Country")).to_have_value("Denmark")
    _submit(dialog)
    dialog = _new_response(jon, record_id, "Trust")
    dialog.get_by_role("radio", name="4").check(force=True)
    _submit(dialog)
    agent = _agent(server, program, "reader")
    told = {"entityId": record_id, "values": {"country": "Norway", "employees": 40}, "source": "extraction"}
    answer = agent.post("/api/tools/submitResponse", json=told)
    assert answer.status_code == 200, answer.text
    assert answer.json()["status"] == "submitted"

    # The reviewer accepts the agent's country and rejects the other, without the mouse.
    keys = jon.keyboard
    jon.goto(f"/records/{record_id}?tab=responses")
    expect(_row(jon, "reader")).to_contain_text("The record has Sweden")
    keys.press("j")
    expect(_row(jon, "reader").get_by_role("listitem").first).to_be_focused()
    keys.press("p")
    preview = jon.get_by_role("dialog", name="Promote into the record")
    expect(preview.get_by_role("button", name="Promote", exact=True)).to_be_focused()
    expect(preview).to_contain_text("Sweden")
    expect(preview).to_contain_text("Norway")
    keys.press("Enter")
    expect(preview).to_have_count(0)
    expect(_row(jon, "reader")).to_contain_text("Partly promoted")
    expect(_row(jon, "reader")).to_contain_text("In the record")
    expect(_row(jon, "reader").get_by_role("listitem").first).to_be_focused()
    keys.press("j")
    expect(_row(jon, "Mara Lind").get_by_role("listitem").first).to_be_focused()
    keys.press("r")
    notes = jon.get_by_role("dialog", name="Reject this response").get_by_label("Notes")
    expect(notes).to_be_focused()
    keys.type("The register says Norway.")
    keys.press("Control+Enter")
    expect(_row(jon, "Mara Lind")).to_contain_text("Rejected by Jon Ek")
    expect(_row(mara, "Mara Lind")).to_contain_text("The register says Norway.")  # live, on her page

    # The record shows the value, where it comes from, and the score of the rating.
    jon.get_by_role("link", name="Record", exact=True).click()
    main = jon.get_by_role("main")
    expect(main).to_contain_text("Norway")
    source = main.get_by_role("link", name="Promoted from reader by Jon Ek")
    expect(source).to_have_attribute("href", re.compile(answer.json()["responseId"]))
    expect(main.get_by_title("Latest score of Trust: 75 of 100")).to_be_visible()

    # Undo brings the old value and its source back, and the history says so.
    jon.get_by_role("button", name="History of Country").click()
    history = jon.get_by_role("dialog")
    history.get_by_role("button", name="Undo", exact=True).click()
    expect(history).to_contain_text("Jon Ek undid a promotion")
    expect(history).to_contain_text("Undone")
    keys.press("Escape")
    expect(history).to_have_count(0)
    expect(main).to_contain_text("Sweden")
    expect(source).to_have_count(0)
    for page in (admin, mara, jon):
        page.context.close()


@pytest.fixture
def plant(server: Server, program: httpx.Client) -> dict[str, Any]:
    """A record with a value that was never there before, from an agent."""
    schema = {"type": "object", "properties": {"height": {"type": "number"}, "colour": {"type": "string"}}}
    _made(program.post("/api/entity-types", json={"slug": "plant", "name": "Plant", "json_schema": schema}))
    made: dict[str, Any] = _made(program.post("/api/entities", json={"type": "plant", "title": "Rowan"}))
    for name, fields in (("tall", ["height"]), ("red", ["colour"])):
        blocks = [{"type": "fields", "fields": fields}]
        _made(
            program.post(
                "/api/views",
                json={"slug": name, "name": name.title(), "entity_type": "plant", "blocks": blocks},
            )
        )
    agent = _agent(server, program, "botanist")
    _made(agent.post(f"/api/entities/{made['id']}/responses", json={"values": {"height": 12}}))
    return made


def test_a_view_is_chosen_by_address_and_history_outlives_an_undo_to_nothing(
    browser: Browser, server: Server, owner_state: StorageState, plant: dict[str, Any]
) -> None:
    page = browser.new_context(base_url=server.url, storage_state=owner_state).new_page()
    page.goto(f"/records/{plant['id']}?view=tall")
    expect(page.get_by_text("Height", exact=True)).to_be_visible()
    expect(page.get_by_text("Colour", exact=True)).to_have_count(0)
    page.get_by_role("link", name="All fields").click()
    expect(page).to_have_url(re.compile("view=_all"))
    expect(page.get_by_text("Colour", exact=True)).to_be_visible()
    page.goto(f"/records/{plant['id']}?view=none-such")
    expect(page.get_by_role("link", name="Red")).to_have_attribute(
        "aria-current", "true"
    )  # the first by slug

    page.goto(f"/records/{plant['id']}?view=_all")
    page.get_by_role("button", name="1 proposal for Height").click()
    page.get_by_role("button", name="Promote Height from botanist").click()
    page.get_by_role("button", name="Promote", exact=True).click()
    expect(page.get_by_text("Promoted from botanist")).to_be_visible()
    page.get_by_role("button", name="History of Height").click()
    history = page.get_by_role("dialog")
    history.get_by_role("button", name="Undo", exact=True).click()
    expect(history).to_contain_text("Undone")
    page.keyboard.press("Escape")
    expect(history).to_have_count(0)
    page.get_by_role("button", name="History of Height").click()  # still there, though nothing is
    expect(history).to_contain_text("undid a promotion")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="History of Colour").click()
    expect(history).to_contain_text("Nothing has changed here yet.")
    page.context.close()


def test_who_saves_late_keeps_what_they_typed_and_puts_it_on_top(
    browser: Browser, server: Server, owner_state: StorageState, program: httpx.Client
) -> None:
    new = {"slug": "shared", "name": "Shared", "blocks": [{"type": "text", "text": "Read this."}]}
    path = f"/api/views/{_made(program.post('/api/views', json=new))['id']}"
    page = browser.new_context(base_url=server.url, storage_state=owner_state).new_page()
    page.goto(path.replace("/api/views", "/build/views"))
    form = page.get_by_role("form", name="View")
    form.get_by_label("Name").fill("Mine")
    theirs = {"version": 1, "blocks": [{"type": "text", "text": "Theirs."}]}
    assert program.patch(path, json=theirs).status_code == 200
    form.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("You began at version 1; it is at version 2 now.")
    expect(form.get_by_label("Name")).to_have_value("Mine")
    page.get_by_role("button", name="Save mine on top").click()
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    saved = program.get(path).json()
    assert (saved["name"], saved["blocks"][0]["text"], saved["version"]) == ("Mine", "Theirs.", 3)
    page.context.close()


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_pages_of_the_first_flow_are_accessible(
    browser: Browser, server: Server, demo_state: StorageState, scheme: str, width: int
) -> None:
    context = browser.new_context(
        base_url=server.url,
        storage_state=demo_state,
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 844},
    )
    page = context.new_page()
    page.goto("/records")
    page.get_by_role("link", name="Brightline Telephony: Voice services").click()
    expect(page.get_by_role("link", name="Responses")).to_be_visible()
    record = page.url.split("?")[0]
    addresses = [record, f"{record}?view=_all", f"{record}?tab=responses"]
    for address in [*addresses, "/build/types", "/build/criteria-sets", "/build/views"]:
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        check_page(page)
    page.goto(f"{record}?tab=responses")
    page.get_by_role("button", name="Keys").click()
    expect(page.get_by_role("dialog", name="Review by keyboard")).to_be_visible()
    check_page(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="New response").click()
    page.get_by_role("dialog").get_by_label("Notes").fill("Begun")
    page.reload()
    page.get_by_role("button", name="New response").click()
    expect(page.get_by_role("button", name="Start over")).to_be_visible()
    check_page(page)
    context.close()
