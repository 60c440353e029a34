"""What nobody should send, sent to every route that takes it, at a real server that goes on answering.

`schemas`, `bodies`, `ids`, `texts` and `headers` are tables; `fields` finds the places of a request body in the
OpenAPI document, so that a new route joins by itself; `wire` speaks HTTP without any care for its rules; `probe`
watches the server's event loop; `arena` is the server, who attacks it, and who works beside.
"""
