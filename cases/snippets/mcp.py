from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset

tools = MCPToolset("http://127.0.0.1:8400/mcp", headers={"Authorization": "Bearer gl_…"})
agent = Agent("openai-chat:gpt-5-mini", toolsets=[tools])
print(agent.run_sync("Which tools do you have?").output)
