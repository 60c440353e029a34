import goldloop

with goldloop.Client() as client, client.session("my-agent") as session:
    session.user_message("Hello")
    session.agent_message("Good morning")
