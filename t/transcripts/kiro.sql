-- A database of Kiro's command of a release before 2.
CREATE TABLE migrations (id INTEGER PRIMARY KEY, version INTEGER NOT NULL,
	migration_time INTEGER NOT NULL);
CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE conversations_v2 (key TEXT NOT NULL, conversation_id TEXT NOT NULL,
	value TEXT NOT NULL, created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL, PRIMARY KEY (key, conversation_id));
INSERT INTO conversations_v2 VALUES ('/home/ada/project', 'c1',
	'{"conversation_id":"c1","next_message":null,"history":[
	{"user":{"additional_context":"injected","env_context":{},"content":{"Prompt":{"prompt":"Use tabs, please."}},"timestamp":"2026-11-26T10:00:00.123456+00:00","images":null},
	 "assistant":{"ToolUse":{"message_id":"a1","content":"I will look.","tool_uses":[{"id":"t1","name":"execute_bash","orig_name":"execute_bash","args":{"command":"echo hi"}}]}}},
	{"user":{"additional_context":"","env_context":{},"content":{"ToolUseResults":{"tool_use_results":[{"tool_use_id":"t1","content":[{"Text":"hi"}],"status":"Success"}]}},"timestamp":null,"images":null},
	 "assistant":{"Response":{"message_id":"a2","content":"Noted."}}},
	{"user":{"content":{"CancelledToolUses":{"prompt":"And a heading.","tool_use_results":[]}},"timestamp":"2026-11-26T10:00:09+00:00"},
	 "assistant":{"Response":{"message_id":null,"content":"Done."}}}],
	"transcript":["> Use tabs, please."]}', 1795687200000, 1795687209000);
