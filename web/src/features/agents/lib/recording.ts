/** How the sessions of an agent that runs elsewhere are recorded, to be copied. */

export function recordByCurl(origin: string, agent: string): string {
  return [
    `SESSION=$(curl -s -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\`,
    `     -d '{"source": "client", "agent": "${agent}"}' ${origin}/api/sessions | jq -r .id)`,
    `curl -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\`,
    `     -d '[{"id": "'$(uuidgen)'", "type": "user.message", "payload": {"text": "Hello"}}]' \\`,
    `     ${origin}/api/sessions/$SESSION/events`,
    `curl -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\`,
    `     -d '{"status": "completed"}' ${origin}/api/sessions/$SESSION/end`,
  ].join("\n");
}

export function recordByPython(origin: string, agent: string): string {
  return [
    "from goldloop import Client",
    "",
    `with Client("${origin}", key) as client:`,
    `    with client.session("${agent}") as session:`,
    `        session.user_message("Hello")`,
    `        session.agent_message("Good morning")`,
  ].join("\n");
}
