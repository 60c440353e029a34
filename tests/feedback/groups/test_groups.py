"""Groups of feedback as people see them: proposed from two origins on, decided about once, and back when they escalate."""

import asyncio
from dataclasses import replace
from datetime import datetime
from typing import Any

import httpx

from goldloop.feedback.groups.service import MOST_ANSWERED, MOST_REVIEWED
from goldloop.kit.embedding import EmbeddingFailed
from goldloop.tenants.model import Role
from tests.feedback.signals import Signals, grouped
from tests.loops import some
from tests.records import code, ok, places
from tests.sessions.recordings import begin

CURRENCY = [
    "The valuation is given in dollars instead of euros",
    "The valuation should be in euros, not in dollars",
    "Valuation in dollars, but it has to be in euros",
    "Give the valuation in euros instead of dollars",
    "The valuation is in dollars again and not in euros",
]
SLOW = "The answer took far too long to appear on the screen"


async def complain(signals: Signals, text: str, user: str, reaction: str = "not_ok", **turn: Any) -> None:
    conversation = f"c-{user}"
    made = await signals.chats.say(conversation, user_id=user, **turn)
    await signals.chats.react(conversation, made, reaction, text=text)


async def test_alike_notes_of_two_people_are_proposed(signals: Signals) -> None:
    await complain(signals, CURRENCY[0], "ada")
    await complain(signals, SLOW, "bob")
    await complain(signals, CURRENCY[1], "eve")
    await signals.place()
    (group,) = await signals.groups()
    assert (group["kind"], group["members"], group["origins"], group["pending"]) == ("wording", 2, 2, 2)
    assert group["cohesion"] >= 0.55
    assert group["proposed"]
    assert not group["returned"]
    assert "valuation" in group["title"]
    assert (group["rating"], group["sources"], sum(group["days"])) == ("negative", ["chat"], 2)
    members = ok(await signals.admin.get(f"/api/feedback/groups/{group['id']}/members"))["data"]
    assert {row["comment"] for row in members} == set(CURRENCY[:2])
    assert [row["comment"] for row in await signals.listed(grouped="false")] == [SLOW]
    assert len(await signals.desk.events("feedback_group.proposed")) == 1


async def test_one_person_saying_it_often_is_one_origin(signals: Signals) -> None:
    for text in CURRENCY[:3]:
        await complain(signals, text, "ada")
    await signals.place()
    assert await signals.groups() == []
    (group,) = await signals.groups(proposed="false")
    assert (group["members"], group["origins"]) == (3, 1)
    await complain(signals, CURRENCY[3], "bob")
    await signals.place()
    (proposed,) = await signals.groups()
    assert (proposed["id"], proposed["origins"]) == (group["id"], 2)


async def test_praise_and_complaints_are_apart(signals: Signals) -> None:
    await complain(signals, CURRENCY[0], "ada")
    await complain(signals, CURRENCY[1], "bob", "ok")
    await signals.place()
    assert await signals.groups() == await signals.groups(proposed="false") == []


async def test_generic_notes_and_bare_thumbs_stay_alone(signals: Signals) -> None:
    for user in ("ada", "bob", "eve"):
        await complain(signals, "This is wrong", user)
        turn = await signals.chats.say(f"bare-{user}", user_id=user)
        await signals.chats.react(f"bare-{user}", turn, "not_ok")
    await signals.place()
    assert await signals.groups() == await signals.groups(proposed="false") == []
    assert len(await signals.listed(grouped="false")) == 6


async def reject(signals: Signals, value: int, notes: str, agent: httpx.AsyncClient, **more: Any) -> None:
    """By a reviewer of their own."""
    record = await signals.desk.make_record()
    values = {"employees": value, **more}
    response = await signals.desk.submit(record, values, by=agent, source="extraction")
    _, reviewer = await signals.desk.person(Role.REVIEWER)
    path = f"/api/entities/{record['id']}/responses/{response['id']}"
    ok(await reviewer.patch(path, json={"status": "rejected", "review_notes": notes}))


async def test_the_same_field_rejected_by_two_people_is_a_group_whatever_they_say(signals: Signals) -> None:
    agent = await signals.desk.agent()
    await reject(signals, 3, "wrong", agent)
    await reject(signals, 4, "ditto", agent)
    await signals.place()
    group = next(g for g in await signals.groups() if g["sources"] == ["extraction", "response"])
    assert (group["kind"], group["key"], group["entity_type"]) == ("field", "employees", "company")
    assert (group["members"], group["origins"]) == (4, 2)  # a response and a value of each of two rejections


async def test_values_that_a_note_does_not_speak_of_are_in_no_group(signals: Signals) -> None:
    agent = await signals.desk.agent()
    for value in (3, 4):
        await reject(signals, value, "employees: those of the subsidiaries are missing", agent, name="Acme")
    await signals.place()
    keys = {
        group["key"] for proposed in ("true", "false") for group in await signals.groups(proposed=proposed)
    }
    assert "employees" in keys
    assert "name" not in keys
    rows = await signals.listed(source_type="extraction")
    assert {(row["context"]["field_name"], row["context"]["named"]) for row in rows} == {
        ("employees", True),
        ("name", False),
    }


async def test_values_that_were_rejected_along_are_not_in_the_group_of_their_field(signals: Signals) -> None:
    agent = await signals.desk.agent()
    await reject(signals, 3, "employees: those of the subsidiaries are missing", agent, name="Acme")
    await reject(signals, 4, "name: this is the brand, not the company", agent, name="Acmo")
    await reject(signals, 5, "name: that is what they were called before", agent, name="Acmi")
    await signals.place()
    listed = [*await signals.groups(), *await signals.groups(proposed="false")]
    for group in some([each for each in listed if each["kind"] == "field"]):
        members = some(await signals.listed(group_id=group["id"]))
        assert {row["context"].get("named", True) for row in members} == {True}, group["key"]


async def test_one_rejection_is_no_group_and_its_rows_stay_together(signals: Signals) -> None:
    agent = await signals.desk.agent()
    words = ["employees: those of the subsidiaries are missing", "employees: this is from a year ago"]
    await reject(signals, 3, words[0], agent, name="Acme")
    await signals.place()
    assert [*await signals.groups(), *await signals.groups(proposed="false")] == []
    await reject(signals, 4, words[1], agent, name="Acmo")
    await signals.place()
    (group,) = await signals.groups()
    assert (group["kind"], group["key"], group["members"], group["origins"]) == ("field", "employees", 4, 2)
    await reject(signals, 5, "employees: those of subsidiaries are missing here", agent, name="Acmi")
    await signals.place()
    (group,) = [each for each in await signals.groups() if each["kind"] == "wording"]
    assert (group["members"], group["origins"]) == (4, 2)  # with all rows of the first


async def test_within_a_field_the_same_wording_has_a_group_of_its_own(signals: Signals) -> None:
    agent = await signals.desk.agent()
    await reject(signals, 3, "wrong", agent)
    await reject(signals, 4, "The employees of subsidiaries are missing from the count", agent)
    await signals.place()
    await reject(signals, 5, "Employees of the subsidiaries are missing in this count", agent)
    await signals.place()
    found = {group["kind"]: group for group in await signals.groups(proposed="true")}
    assert found.keys() == {"wording"}
    assert (found["wording"]["key"], found["wording"]["origins"]) == ("employees", 2)


async def fail(signals: Signals, message: str) -> None:
    session = await begin(signals.desk.contributor, agent="scout")
    body = {"status": "failed", "error": {"code": "tool_failed", "message": message}}
    ok(await signals.desk.contributor.post(f"/api/sessions/{session['id']}/end", json=body))


async def test_sessions_that_fail_for_one_reason_are_a_group(signals: Signals) -> None:
    for message in (
        "ReadTimeout after 30 s at https://a.test/x",
        "ReadTimeout after 45 s at https://b.test/y",
        "KeyError: 'total'",
    ):
        await fail(signals, message)
    await signals.place()
    (group,) = await signals.groups()
    assert (group["kind"], group["members"], group["origins"]) == ("reason", 2, 2)
    assert group["title"] == "ReadTimeout after <number> s at <url>"


async def test_runs_of_a_failed_session_again_are_one_origin(signals: Signals) -> None:
    session = await begin(signals.desk.contributor, agent="scout")
    again = await begin(signals.desk.contributor, agent="scout", metadata={"run_again_of": session["id"]})
    for each in (session, again):
        body = {"status": "failed", "error": "It broke down at the third step"}
        ok(await signals.desk.contributor.post(f"/api/sessions/{each['id']}/end", json=body))
    await signals.place()
    assert await signals.groups() == []
    assert [group["origins"] for group in await signals.groups(proposed="false")] == [1]


async def test_keys_group_while_the_encoder_is_away(signals: Signals) -> None:
    class Away:
        model = "away"

        async def embed(self, texts: Any) -> Any:
            raise EmbeddingFailed("It does not answer")

    for user in ("ada", "bob"):
        await complain(signals, CURRENCY[0], user)
        await signals.give(
            (await signals.desk.person(Role.VIEWER))[1], comment="wrong", context={"tool_slug": "search"}
        )
    outside, signals.outside = signals.outside, replace(signals.outside, embedder=Away())
    try:
        await signals.place()
    except EmbeddingFailed:
        pass
    else:
        raise AssertionError("the mark would not be tried again")
    assert {group["kind"] for group in await signals.groups()} == {"tool"}
    signals.outside = outside
    await signals.place()
    assert {group["kind"] for group in await signals.groups()} == {"tool", "wording"}


async def proposed(signals: Signals, count: int = 2) -> Any:
    for place, text in enumerate(CURRENCY[:count]):
        await complain(signals, text, f"user-{place}")
    await signals.place()
    (group,) = await signals.groups()
    return group


async def test_a_dismissed_group_takes_its_members_along_and_comes_back_when_it_escalates(
    signals: Signals,
) -> None:
    group = await proposed(signals)
    path = f"/api/feedback/groups/{group['id']}"
    dismissed = ok(
        await signals.admin.post(f"{path}/dismiss", json={"reason": "user_error", "note": "They set it"})
    )
    assert (dismissed["state"], dismissed["pending"], dismissed["reason"]) == ("dismissed", 0, "user_error")
    assert {row["review_notes"] for row in await signals.listed()} == {"user error: They set it"}
    await complain(signals, CURRENCY[2], "new-1")
    await signals.place()
    quiet = ok(await signals.admin.get(path))
    assert (quiet["state"], quiet["members"], quiet["pending"]) == ("dismissed", 3, 1)
    assert await signals.groups() == []
    await complain(signals, CURRENCY[3], "new-2")
    await signals.place()
    (back,) = await signals.groups()
    assert (back["id"], back["returned"], back["state"]) == (group["id"], True, "open")
    assert (back["reason"], back["note"]) == ("user_error", "They set it")
    assert len(await signals.desk.events("feedback_group.returned")) == 1


async def test_a_snoozed_group_waits_for_two_more(signals: Signals) -> None:
    group = await proposed(signals)
    path = f"/api/feedback/groups/{group['id']}"
    assert ok(await signals.admin.post(f"{path}/snooze", json={}))["pending"] == 2
    assert await signals.groups() == []
    for place in (2, 3):
        await complain(signals, CURRENCY[place], f"new-{place}")
    await signals.place()
    assert [each["id"] for each in await signals.groups()] == [group["id"]]


async def test_a_dismissal_is_taken_back_with_its_members(signals: Signals) -> None:
    group = await proposed(signals, 3)
    first = (await signals.listed())[0]
    ok(await signals.admin.patch(f"/api/feedback/{first['id']}", json={"status": "applied"}))
    path = f"/api/feedback/groups/{group['id']}"
    ok(await signals.admin.post(f"{path}/dismiss", json={"reason": "noise"}))
    again = ok(await signals.admin.post(f"{path}/reopen"))
    assert (again["state"], again["pending"], again["reason"]) == ("open", 2, None)
    assert [row["status"] for row in await signals.listed()] == ["applied", "pending", "pending"]
    assert code(await signals.admin.post(f"{path}/reopen")) == (409, "feedback_group_decided")


async def test_whoever_decides_second_learns_who_was_first(signals: Signals) -> None:
    group = await proposed(signals)
    path = f"/api/feedback/groups/{group['id']}"
    people = [await signals.desk.person(Role.ADMIN) for _ in range(2)]
    acts = [(people[0][1], "dismiss", {"reason": "noise"}), (people[1][1], "snooze", {})]
    answers = await asyncio.gather(*(client.post(f"{path}/{act}", json=body) for client, act, body in acts))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    won = next(place for place, answer in enumerate(answers) if answer.status_code == 200)
    conflict = answers[1 - won].json()["conflict"]
    assert conflict["decided_by"]["id"] == str(people[won][0])
    assert conflict["state"] == ["dismissed", "snoozed"][won]


async def test_a_group_is_reviewed_as_a_whole(signals: Signals) -> None:
    group = await proposed(signals, 3)
    body = {"status": "applied", "review_notes": "In the instructions now"}
    answer = ok(await signals.admin.post(f"/api/feedback/groups/{group['id']}/review", json=body))
    assert (answer["done"], {each["outcome"] for each in answer["data"]}) == (3, {"done"})
    assert ok(await signals.admin.get(f"/api/feedback/groups/{group['id']}"))["pending"] == 0
    assert await signals.groups(waits="true") == []


async def test_a_group_of_any_size_is_reviewed_dismissed_and_taken_back_whole(signals: Signals) -> None:
    group = await proposed(signals)
    path = f"/api/feedback/groups/{group['id']}"
    count = MOST_REVIEWED + 3
    await signals.chats.rows(
        """
        INSERT INTO feedback (tenant_id, id, source_type, rating, comment, created_at, created_by_kind, updated_at, source_key,
            origin_actor, origin_artefact, placed_at, block, group_id)
        SELECT tenant_id, gen_random_uuid(), source_type, rating, comment, created_at, 'system', updated_at, 'many:' || n,
            origin_actor, 'many:' || n, placed_at, block, group_id
        FROM (SELECT * FROM feedback WHERE group_id = $1 LIMIT 1) f, generate_series(1, $2) n RETURNING 1
        """,
        group["id"],
        count - 2,
    )
    oldest = await signals.chats.rows("SELECT id FROM feedback ORDER BY created_at, id LIMIT 1")
    for act, body in (("review", {"status": "applied"}), ("dismiss", {"reason": "noise"})):
        decided = ok(await signals.admin.post(f"{path}/{act}", json=body))
        after = ok(await signals.admin.get(path))
        assert (after["members"], after["pending"]) == (count, 0)
        back = ok(await signals.admin.post(f"/api/feedback/decisions/{decided['decision_id']}/undo"))
        assert (back["state"], back["pending"]) == ("open", count)
        if act == "review":
            assert (decided["done"], len(decided["data"])) == (count, MOST_ANSWERED)
    rest = ok(await signals.admin.post(f"{path}/split", json={"ids": [str(oldest[0]["id"])]}))["rest"]
    assert rest["members"] == count - 1


async def test_merged_groups_are_one_and_stay_so(signals: Signals) -> None:
    group = await proposed(signals)
    for user in ("x", "y"):
        await complain(signals, SLOW, user)
    await signals.place()
    other = next(each for each in await signals.groups() if each["id"] != group["id"])
    path = f"/api/feedback/groups/{other['id']}/merge"
    whole = ok(await signals.admin.post(path, json={"into": group["id"]}))
    assert (whole["id"], whole["members"], whole["origins"]) == (group["id"], 4, 4)
    assert whole["proposed"]
    gone = ok(await signals.admin.get(f"/api/feedback/groups/{other['id']}"))
    assert (gone["state"], gone["merged_into"]) == ("merged", group["id"])
    again = await signals.admin.post(path, json={"into": group["id"]})
    assert (code(again), again.json()["conflict"]["merged_into"]) == (
        (409, "feedback_group_decided"),
        group["id"],
    )
    itself = await signals.admin.post(f"/api/feedback/groups/{group['id']}/merge", json={"into": group["id"]})
    assert places(itself) == [("/into", "same_group")]
    await complain(signals, SLOW, "z")
    await signals.place()
    assert [(each["id"], each["members"]) for each in await signals.groups()] == [(group["id"], 5)]
    assert await signals.groups(proposed="false") == []


async def test_what_was_split_off_stays_apart(signals: Signals) -> None:
    group = await proposed(signals, 4)
    members = {row["comment"]: row["id"] for row in await signals.listed()}
    path = f"/api/feedback/groups/{group['id']}/split"
    taken = [members[CURRENCY[0]], members[CURRENCY[1]]]
    answer = ok(await signals.admin.post(path, json={"ids": taken}))
    assert (answer["group"]["members"], answer["rest"]["members"]) == (2, 2)
    alone = ok(await signals.admin.post(path, json={"ids": [members[CURRENCY[2]]]}))
    assert (alone["group"], alone["rest"]["members"], alone["rest"]["proposed"]) == (None, 1, False)
    assert places(await signals.admin.post(path, json={"ids": [members[CURRENCY[3]]]})) == [
        ("/ids", "all_members")
    ]
    assert places(await signals.admin.post(path, json={"ids": taken})) == [("/ids", "not_members")]
    await signals.place()
    assert len(await signals.listed(group_id=group["id"])) == 1


async def test_a_merge_is_taken_back_with_what_it_moved(signals: Signals) -> None:
    group = await proposed(signals)
    for user in ("x", "y"):
        await complain(signals, SLOW, user)
    await signals.place()
    other = next(each for each in await signals.groups() if each["id"] != group["id"])
    path = f"/api/feedback/groups/{other['id']}"
    ok(await signals.admin.post(f"{path}/merge", json={"into": group["id"]}))
    again = ok(await signals.admin.post(f"{path}/reopen"))
    assert (again["state"], again["merged_into"], again["members"], again["proposed"]) == (
        "open",
        None,
        2,
        True,
    )
    assert {row["comment"] for row in await signals.listed(group_id=other["id"])} == {SLOW}
    assert {each["id"]: each["members"] for each in await signals.groups()} == {
        group["id"]: 2,
        other["id"]: 2,
    }
    rows = await signals.chats.rows("SELECT labels FROM feedback_grouping")
    assert rows == [{"labels": 0}]  # what was taken back says nothing about how alike notes have to be


async def test_wording_that_was_merged_into_a_key_goes_on_joining_it(signals: Signals) -> None:
    for text in ("It is empty again", "Nothing ever came back from there"):
        _, person = await signals.desk.person(Role.VIEWER)
        await signals.give(person, comment=text, context={"tool_slug": "search"})
    slow = ["The answer takes far too long to arrive", "It takes far too long until the answer arrives"]
    for user, text in zip("xy", slow, strict=True):
        await complain(signals, text, user)
    await signals.place()
    found = {group["kind"]: group["id"] for group in await signals.groups()}
    path = f"/api/feedback/groups/{found['wording']}/merge"
    ok(await signals.admin.post(path, json={"into": found["tool"]}))
    await complain(signals, "The answer takes much too long to arrive", "z")
    await signals.place()
    assert [(each["id"], each["members"]) for each in await signals.groups()] == [(found["tool"], 5)]
    assert await signals.groups(proposed="false") == []


async def test_each_wording_of_a_merged_group_goes_on_joining_it(signals: Signals) -> None:
    group = await proposed(signals, 4)
    slow = ["The answer takes far too long to arrive", "It takes far too long until the answer arrives"]
    for user, text in zip("xy", slow, strict=True):
        await complain(signals, text, user)
    await signals.place()
    other = next(each for each in await signals.groups() if each["id"] != group["id"])
    ok(await signals.admin.post(f"/api/feedback/groups/{other['id']}/merge", json={"into": group["id"]}))
    await complain(signals, "The answer takes much too long to arrive", "z")
    await complain(signals, CURRENCY[4], "w")
    await signals.place()
    assert [(each["id"], each["members"]) for each in await signals.groups()] == [(group["id"], 8)]


async def test_what_comes_after_a_merge_goes_where_the_merge_went(signals: Signals) -> None:
    await signals.desk.workspace.make_agent("scout")
    for reason in ("KeyError: 'total'", "Connection refused by the archive"):
        for _ in range(2):
            await fail(signals, reason)
    await signals.place()
    one, other = await signals.groups()
    ok(await signals.admin.post(f"/api/feedback/groups/{one['id']}/merge", json={"into": other["id"]}))
    for reason in ("KeyError: 'total'", "Connection refused by the archive"):
        await fail(signals, reason)
    await signals.place()
    assert [(each["id"], each["members"]) for each in await signals.groups()] == [(other["id"], 6)]


async def test_people_put_feedback_into_a_group(signals: Signals) -> None:
    group = await proposed(signals, 3)
    path = f"/api/feedback/groups/{group['id']}"
    members = {row["comment"]: row["id"] for row in await signals.listed()}
    ok(await signals.admin.post(f"{path}/split", json={"ids": [members[CURRENCY[0]]]}))
    await complain(signals, SLOW, "zoe")
    await complain(signals, SLOW, "kim", reaction="ok")
    await signals.place()
    slow, praise = [row["id"] for row in await signals.listed() if row["comment"] == SLOW]
    for _ in range(2):
        whole = ok(await signals.admin.post(f"{path}/add", json={"ids": [members[CURRENCY[0]], slow]}))
        assert (whole["members"], whole["origins"]) == (4, 4)
    assert len(await signals.desk.events("feedback_group.added")) == 1
    assert places(await signals.admin.post(f"{path}/add", json={"ids": [praise]})) == [
        ("/ids", "other_rating")
    ]
    assert places(await signals.admin.post(f"{path}/add", json={"ids": [group["id"]]})) == [
        ("/ids", "not_found")
    ]
    await complain(signals, "It stops in the middle of a sentence", "lea")
    (new,) = [row["id"] for row in await signals.listed() if row["comment"].startswith("It stops")]
    assert places(await signals.admin.post(f"{path}/add", json={"ids": [new]})) == [("/ids", "not_placed")]


async def test_a_group_that_lost_all_its_members_is_not_listed(signals: Signals) -> None:
    group = await proposed(signals, 4)
    path = f"/api/feedback/groups/{group['id']}"
    taken = [row["id"] for row in await signals.listed()][:2]
    ok(await signals.admin.post(f"{path}/split", json={"ids": taken}))
    ok(await signals.admin.post(f"{path}/add", json={"ids": taken}))
    listed = [*await signals.groups(), *await signals.groups(proposed="false")]
    assert [(each["id"], each["members"]) for each in listed] == [(group["id"], 4)]


async def test_groups_are_filtered(signals: Signals) -> None:
    agent = await signals.desk.workspace.make_agent("scout")
    group = await proposed(signals)
    for _ in range(2):
        await fail(signals, "KeyError: 'total'")
    await signals.place()
    (failed,) = await signals.groups(kind="reason")
    later = "2999-01-01T00:00:00Z"
    rows: list[tuple[dict[str, str], set[str]]] = [
        ({"source_type": "chat"}, {group["id"]}),
        ({"source_type": "session"}, {failed["id"]}),
        ({"source_type": "tool"}, set()),
        ({"agent": "scout"}, {failed["id"]}),
        ({"agent": str(agent.id)}, {failed["id"]}),
        ({"agent": "nobody"}, set()),
        ({"q": "valuation euro"}, {group["id"]}),
        ({"q": "valuation otter"}, set()),
        ({"until": later}, {group["id"], failed["id"]}),
        ({"since": later}, set()),
        ({"rating": "positive"}, set()),
    ]
    for query, expected in rows:
        assert {each["id"] for each in await signals.groups(**query)} == expected, query


async def test_of_two_who_review_a_group_at_once_the_second_learns_who_was_first(signals: Signals) -> None:
    group = await proposed(signals, 3)
    people = [await signals.desk.person(Role.ADMIN) for _ in range(2)]
    path = f"/api/feedback/groups/{group['id']}/review"
    verdicts = ("applied", "dismissed")
    answers = await asyncio.gather(
        *(
            client.post(path, json={"status": each})
            for (_, client), each in zip(people, verdicts, strict=True)
        )
    )
    done = [ok(answer)["done"] for answer in answers]
    assert sorted(done) == [0, 3]
    first = done.index(3)
    for each in some(ok(answers[1 - first])["data"]):
        assert (each["outcome"], each["feedback"]["status"]) == ("already", verdicts[first])
        assert each["feedback"]["reviewer"]["id"] == str(people[first][0])
        times = [datetime.fromisoformat(at) for at in (group["read_at"], each["feedback"]["reviewed_at"])]
        assert times[0] < times[1], "by one clock: it happened after both had looked"
    assert {row["status"] for row in await signals.listed()} == {verdicts[first]}


async def test_decisions_move_the_threshold_of_the_workspace(signals: Signals) -> None:
    async with signals.desk.workspace.db.tx(signals.desk.workspace.system) as tx:
        for place in range(30):
            await tx.execute(
                """
                INSERT INTO feedback_decisions (tenant_id, id, group_id, kind, similarity, is_one_matter, decided_at,
                    decided_by_kind)
                VALUES ($1, gen_random_uuid(), gen_random_uuid(), 'split', $2, $3, now(), 'system')
                """,
                signals.desk.workspace.id,
                0.72 if place % 2 else 0.66,
                bool(place % 2),
            )
    group = await proposed(signals)
    ok(await signals.admin.post(f"/api/feedback/groups/{group['id']}/dismiss", json={"reason": "user_error"}))
    rows = await signals.chats.rows("SELECT threshold, labels FROM feedback_grouping")
    assert rows == [{"threshold": rows[0]["threshold"], "labels": 31}]
    assert 0.66 < rows[0]["threshold"] <= 0.72


async def test_a_taken_back_note_is_no_signal_any_more(signals: Signals) -> None:
    people = [await signals.desk.person(Role.CONTRIBUTOR) for _ in range(2)]
    rows = [
        await signals.give(client, comment=text) for (_, client), text in zip(people, CURRENCY, strict=False)
    ]
    await signals.place()
    (group,) = await signals.groups()
    ok(await people[0][1].delete(f"/api/feedback/{rows[0]['id']}"))
    await signals.refresh()
    after = ok(await signals.admin.get(f"/api/feedback/groups/{group['id']}"))
    assert (after["members"], after["pending"], after["origins"], after["proposed"]) == (2, 1, 1, False)


async def test_groups_wait_in_the_inbox(signals: Signals) -> None:
    async def waiting(client: httpx.AsyncClient) -> dict[str, int]:
        return {row["kind"]: row["count"] for row in ok(await client.get("/api/inbox"))["data"]}

    assert (await waiting(signals.admin))["feedback_groups"] == 0
    await proposed(signals)
    assert (await waiting(signals.admin))["feedback_groups"] == 1
    assert "feedback_groups" not in await waiting(signals.desk.reviewer)


async def test_what_is_in_a_group_that_nobody_is_shown_counts_as_single(signals: Signals) -> None:
    await signals.desk.workspace.make_agent("scout")
    await fail(signals, "KeyError: 'total'")
    await signals.place()
    assert await signals.groups(waits="true") == []
    assert len(await signals.listed(grouped="false", status="pending")) == 1
    assert await signals.listed(grouped="true") == []


async def test_an_agent_decides_about_no_group(signals: Signals) -> None:
    (group,) = await grouped(signals)
    agent = await signals.desk.agent(Role.ADMIN)
    path = f"/api/feedback/groups/{group['id']}"
    members = ok(await agent.get(f"{path}/members"))["data"]
    for step, body in (
        ("split", {"ids": [members[0]["id"]]}),
        ("dismiss", {"reason": "noise"}),
        ("snooze", {}),
    ):
        assert code(await agent.post(f"{path}/{step}", json=body)) == (403, "forbidden"), step
    assert ok(await agent.get(path))["state"] == "open"
