"""One turn with many reactions: neither the next one nor a list that tells of them costs more for it."""

from goldloop.conversations.reactions.counts import counts_now
from goldloop.kit.ids import new_id
from tests.conversations.chats import PROJECT, Chats

# What a connection did in transactions before this one is counted with it until that is reported.
_READ = "SELECT pg_stat_get_xact_tuples_returned('conv_messages_of_turn_and_user'::regclass)"


async def test_one_more_reaction_reads_none_of_those_of_others(chats: Chats) -> None:
    turn = await chats.say("c")
    for n in range(40):
        await chats.react("c", turn, "ok", user_id=f"user {n}")
    async with chats.workspace.db.tx(chats.workspace.system) as tx:
        place = (PROJECT, "c", turn, "somebody else")
        at = await tx.moment()
        before = await tx.fetchval(_READ)
        made = await tx.fetchval(
            "SELECT outcome FROM react($1, $2, $3, $4, false, $5, $6, 'ok', NULL, $7, false, '', jsonb_build_object('meta', jsonb_build_object('rn', 'x')), 10, $8, $9)",
            *place,
            new_id(),
            new_id(),
            at,
            new_id(),
            new_id(),
        )
        read = await tx.fetchval(_READ) - before
    assert (made, read) == ("added", 0)


async def test_counts_of_a_conversation_are_read_off_an_index(chats: Chats) -> None:
    turn = await chats.say("c")
    await chats.react("c", turn, "ok", user_id="u")
    async with chats.workspace.db.tx(chats.workspace.system) as tx:
        await tx.execute("SET LOCAL enable_seqscan = off")
        await tx.execute("SET LOCAL enable_bitmapscan = off")
        plan = await tx.fetch(
            f"""
            EXPLAIN SELECT m.origin, m.reaction, count(*) FROM conv_messages m
            WHERE m.tenant_id = $1 AND m.project = $2 AND m.conversation_id = $3 AND {counts_now("m")} GROUP BY m.origin, m.reaction
            """,
            tx.actor.tenant_id,
            PROJECT,
            "c",
        )
    assert "Index Only Scan using conv_reactions_by_kind" in "\n".join(row[0] for row in plan)
