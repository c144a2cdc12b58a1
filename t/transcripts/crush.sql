-- A database of Crush after its migration 20260127000000, with the columns that
-- matter.
PRAGMA journal_mode = WAL;
CREATE TABLE sessions (
	id TEXT PRIMARY KEY,
	parent_session_id TEXT,
	title TEXT NOT NULL,
	message_count INTEGER NOT NULL DEFAULT 0 CHECK (message_count >= 0),
	updated_at INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	summary_message_id TEXT,
	todos TEXT
);
CREATE TABLE messages (
	id TEXT PRIMARY KEY,
	session_id TEXT NOT NULL,
	role TEXT NOT NULL,
	parts TEXT NOT NULL DEFAULT '[]',
	model TEXT,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	finished_at INTEGER,
	provider TEXT,
	is_summary_message INTEGER DEFAULT 0 NOT NULL,
	FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
INSERT INTO sessions (id, parent_session_id, title, updated_at, created_at) VALUES
	('4f0d', NULL, 'Tabs', 1795687209, 1795687200),
	('title-4f0d', '4f0d', 'Generate a title', 1795687201, 1795687201),
	('m2$$call_1', '4f0d', 'New Agent Session', 1795687202, 1795687202);
INSERT INTO messages (id, session_id, role, parts, created_at, updated_at, is_summary_message) VALUES
	('m1', '4f0d', 'user', '[{"type":"text","data":{"text":"Use tabs, please."}},{"type":"finish","data":{"reason":"stop","time":0}}]', 1795687200, 1795687200, 0),
	('m2', '4f0d', 'assistant', '[{"type":"reasoning","data":{"thinking":"hm","signature":""}},{"type":"text","data":{"text":"I will look."}},{"type":"tool_call","data":{"id":"call_1","name":"bash","input":"{\"command\":\"echo hi\"}","provider_executed":false,"finished":true}},{"type":"finish","data":{"reason":"tool_use","time":1795687202}}]', 1795687202, 1795687202, 0),
	('m3', '4f0d', 'tool', '[{"type":"tool_result","data":{"tool_call_id":"call_1","name":"bash","content":"hi\n","metadata":"","is_error":false}}]', 1795687203, 1795687203, 0),
	('m5', 'm2$$call_1', 'user', '[{"type":"text","data":{"text":"Of a sub-agent."}}]', 1795687203, 1795687203, 0),
	('m4', '4f0d', 'assistant', '[{"type":"text","data":{"text":"Noted."}},{"type":"finish","data":{"reason":"end_turn","time":1795687204}}]', 1795687203, 1795687204, 0),
	('m6', '4f0d', 'assistant', '[{"type":"text","data":{"text":"A summary."}}]', 1795687205, 1795687205, 1),
	('m7', '4f0d', 'user', '[{"type":"shell_command","data":{"command":"ls","output":"a","exit_code":0}}]', 1795687206, 1795687206, 0),
	('m8', '4f0d', 'user', '[{"type":"text","data":{"text":"And a heading."}},{"type":"binary","data":{"Path":"a.png","MIMEType":"image/png","Data":"AA=="}}]', 1795687209, 1795687209, 0);
