post() {
  curl -sS --fail-with-body "$GOLDLOOP_URL$1" -d "$2" \
       -H "Authorization: Bearer $GOLDLOOP_KEY" -H "Content-Type: application/json"
}
new_id() { python3 -c "import uuid; print(uuid.uuid4())"; }

SESSION=$(new_id)
post /api/sessions '{"id": "'$SESSION'", "source": "client", "agent": "my-agent"}'
post /api/sessions/$SESSION/events '[
  {"id": "'$(new_id)'", "type": "user.message", "payload": {"text": "Hello"}},
  {"id": "'$(new_id)'", "type": "agent.message", "payload": {"text": "Good morning"}}
]'
post /api/sessions/$SESSION/end '{"status": "completed"}'
