"""Headers, and whole requests, that no client sends. Pure."""

from tests.hostile.wire import Header

# Instead of the key that would be let in.
CREDENTIALS: dict[str, tuple[Header, ...]] = {
    "none": (),
    "empty": ((b"Authorization", b""),),
    "only a scheme": ((b"Authorization", b"Bearer"),),
    "only spaces": ((b"Authorization", b"Bearer    "),),
    "another scheme": ((b"Authorization", b"Basic Z2w6Z2w="),),
    "not ASCII": ((b"Authorization", b"Bearer \xff\xfe\x80"),),
    "a tab": ((b"Authorization", b"Bearer\tgl_x"),),
    "a long key": ((b"Authorization", b"Bearer gl_" + b"x" * 8000),),
    "SQL": ((b"Authorization", b"Bearer gl_' OR 1=1 --"),),
    "two keys": ((b"Authorization", b"Bearer gl_a"), (b"Authorization", b"Bearer gl_b")),
    "a cookie of junk": ((b"Cookie", b"goldloop_session=\xff\xfe; ;;=;"),),
    "two cookies": (
        (b"Cookie", b"goldloop_session=a; goldloop_session=b"),
        (b"Cookie", b"goldloop_session=c"),
    ),
    "a cookie of 8,000 characters": ((b"Cookie", b"goldloop_session=" + b"x" * 8000),),
    "1,000 cookies": ((b"Cookie", b"; ".join(b"c%d=x" % n for n in range(1000))),),
}

# Beside the key.
BESIDE: dict[str, tuple[Header, ...]] = {
    "a workspace that is not there": ((b"X-Goldloop-Tenant", b"none"),),
    "a workspace of junk": ((b"X-Goldloop-Tenant", b"\xff\xfe' OR 1=1"),),
    "a long workspace": ((b"X-Goldloop-Tenant", b"x" * 8000),),
    "two workspaces": ((b"X-Goldloop-Tenant", b"a"), (b"X-Goldloop-Tenant", b"b")),
    "a CSRF token of junk": ((b"X-Goldloop-CSRF", b"\xff" * 100),),
    "an idempotency key of junk": ((b"Idempotency-Key", b"\xff\xfe\x80 \t x"),),
    "an idempotency key of 8,000 characters": ((b"Idempotency-Key", b"x" * 8000),),
    "a request id of 8,000 characters": ((b"X-Request-Id", b"x" * 8000),),
    "junk of all kinds": (
        (b"X-Forwarded-For", b"\xff, ::::, 1.2.3.4.5, unix:"),
        (b"X-Forwarded-Proto", b"javascript"),
        (b"traceparent", b"\xff-00-zz"),
        (b"tracestate", b"=" * 4000),
        (b"Accept", b"\xff/*;q=nan, */*;q=1e999" + b",a/b" * 500),
        (b"Accept-Encoding", b"x;q=zz"),
        (b"Origin", b"null\xff"),
        (b"Referer", b"javascript:alert(1)"),
        (b"Range", b"bytes=0-0,-1,99999999999999999999-"),
        (b"If-None-Match", b"*"),
        (b"If-Modified-Since", b"yesterday\xff"),
        (b"X-HTTP-Method-Override", b"DELETE"),
        (b"Upgrade", b"websocket"),
    ),
    "500 headers": tuple((b"X-H%d" % n, b"x") for n in range(500)),
}

# Whole requests, of which most are no HTTP: the answer may be the protocol's own, or none.
_GET = b"GET /api/workspace HTTP/1.1\r\nHost: x\r\n"
REQUESTS: dict[str, bytes] = {
    "not HTTP": b"hello\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP/0.9": b"GET /healthz\r\n\r\n",
    "HTTP/9.9": b"GET /healthz HTTP/9.9\r\n\r\n",
    "no host": b"GET /healthz HTTP/1.1\r\n\r\n",
    "a method of junk": b"G\x00T /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    "an unknown method": b"BREW /api/workspace HTTP/1.1\r\nHost: x\r\n\r\n",
    "TRACE": b"TRACE /api/workspace HTTP/1.1\r\nHost: x\r\n\r\n",
    "CONNECT": b"CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n",
    "OPTIONS of all": b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    "an address of another server": b"GET http://127.0.0.1:22/api/x HTTP/1.1\r\nHost: x\r\n\r\n",
    "an address of raw bytes": b"GET /api/\xff\xfe\x80 HTTP/1.1\r\nHost: x\r\n\r\n",
    "an address of 60,000 characters": b"GET /api/" + b"x" * 60_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "an address of a megabyte": b"GET /api/" + b"x" * 1_000_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "a header of a megabyte": _GET + b"X-H: " + b"x" * 1_000_000 + b"\r\n\r\n",
    "10,000 headers": _GET + b"".join(b"X-H%d: x\r\n" % n for n in range(10_000)) + b"\r\n",
    "a name of 60,000 characters": _GET + b"x" * 60_000 + b": x\r\n\r\n",
    "a folded header": _GET + b"X-Request-Id: a\r\n b\r\n\r\n",
    "a newline in a header": _GET + b"X-Request-Id: a\nSet-Cookie: b\r\n\r\n",
    "U+0000 in a header": _GET + b"X-Request-Id: a\x00b\r\n\r\n",
    "a space before the colon": _GET + b"X-Request-Id : a\r\n\r\n",
    "two lengths": _GET + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "a length and chunks": _GET + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a negative length": _GET + b"Content-Length: -1\r\n\r\n",
    "a huge length": _GET + b"Content-Length: 99999999999999999999\r\n\r\n",
    "a length in hex": _GET + b"Content-Length: 0x10\r\n\r\n",
    "an unknown encoding": _GET + b"Transfer-Encoding: xyz\r\n\r\n",
    "a chunk of junk": _GET + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
    "a huge chunk": _GET + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n\r\n",
}
