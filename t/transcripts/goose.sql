-- A database of Goose of schema version 7, with the columns that matter.
PRAGMA journal_mode = WAL;
CREATE TABLE schema_version (
	version INTEGER PRIMARY KEY,
	applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);
INSERT INTO schema_version (version) VALUES (7);
CREATE TABLE sessions (
	id TEXT PRIMARY KEY,
	name TEXT NOT NULL DEFAULT '',
	description TEXT NOT NULL DEFAULT '',
	user_set_name BOOLEAN DEFAULT FALSE,
	session_type TEXT NOT NULL DEFAULT 'user',
	working_dir TEXT NOT NULL,
	created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
	updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
	extension_data TEXT DEFAULT '{}',
	total_tokens INTEGER,
	provider_name TEXT
);
CREATE TABLE messages (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	message_id TEXT,
	session_id TEXT NOT NULL REFERENCES sessions(id),
	role TEXT NOT NULL,
	content_json TEXT NOT NULL,
	created_timestamp INTEGER NOT NULL,
	timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
	tokens INTEGER,
	metadata_json TEXT
);
INSERT INTO sessions (id, name, session_type, working_dir, created_at, updated_at) VALUES
	('20261126_1', 'Tabs', 'user', '/home/ada/project', '2026-11-26 10:00:00', '2026-11-26 10:00:09'),
	('20261126_2', 'Sub', 'sub_agent', '/home/ada/project', '2026-11-26 10:00:01', '2026-11-26 10:00:02'),
	('20261126_3', 'Empty', 'scheduled', '/home/ada/other', '2026-11-26T09:00:00+00:00', '2026-11-26T09:00:00+00:00');
INSERT INTO messages (session_id, role, content_json, created_timestamp, metadata_json) VALUES
	('20261126_1', 'user', '[{"type":"text","text":"Use tabs, please."}]', 1795687200, '{"userVisible":true,"agentVisible":true}'),
	('20261126_2', 'user', '[{"type":"text","text":"Of a sub-agent."}]', 1795687201, NULL),
	('20261126_1', 'assistant', '[{"type":"thinking","thinking":"hm","signature":""},{"type":"text","text":"I will look."},{"type":"toolRequest","id":"call_1","toolCall":{"status":"success","value":{"name":"developer__shell","arguments":{"command":"echo hi"}}}}]', 1795687202, '{"userVisible":true,"agentVisible":true}'),
	('20261126_1', 'user', '[{"type":"toolResponse","id":"call_1","toolResult":{"status":"success","value":{"content":[{"type":"text","text":"hi\n"}],"isError":false}}}]', 1795687203, '{"userVisible":true,"agentVisible":true}'),
	('20261126_1', 'assistant', '[{"type":"text","text":"Noted."},{"type":"toolRequest","id":"call_2","toolCall":{"status":"error","error":"no such tool"}}]', 1795687204, NULL),
	('20261126_1', 'user', '[{"type":"text","text":"A summary for the model."}]', 1795687205, '{"userVisible":false,"agentVisible":true}'),
	('20261126_1', 'assistant', '[{"type":"systemNotification","notificationType":"inlineMessage","msg":"Compacted."}]', 1795687206, '{"userVisible":true,"agentVisible":false}'),
	('20261126_1', 'user', '[{"type":"text","text":"And a heading."}]', 1795687209000, '{"userVisible":true,"agentVisible":true}');
