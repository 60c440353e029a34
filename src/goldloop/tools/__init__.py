"""The tools of agents over HTTP: `POST /api/tools/{name}` with the tool's arguments as JSON."""
