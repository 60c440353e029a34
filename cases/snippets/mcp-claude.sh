claude mcp add --transport http goldloop http://127.0.0.1:8400/mcp --header "Authorization: Bearer gl_…"
