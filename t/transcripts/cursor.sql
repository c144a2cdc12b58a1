-- A database of Cursor, in the form that is known of release 3.17, with what
-- matters.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT,
	createdAt INTEGER, lastUpdatedAt INTEGER, isArchived INTEGER,
	isSubagent INTEGER, recency INTEGER, checkpointAt INTEGER, value TEXT);
INSERT INTO composerHeaders VALUES
	('9ec2', 'a0', 1795687200000, 1795687209000, 0, 0, 1795687209000, NULL,
		'{"type":"head","composerId":"9ec2","name":"Tabs","workspaceIdentifier":{"id":"a0","uri":{"fsPath":"/home/ada/project","path":"/home/ada/project","scheme":"file"}}}'),
	('sub', 'a0', 1795687202000, 1795687202000, 0, 1, 1795687202000, NULL, '{}'),
	('empty-state-draft', 'a0', 1795687202000, NULL, 0, 0, 0, NULL, '{"isDraft":true}');
INSERT INTO cursorDiskKV VALUES
	('composerData:9ec2', '{"_v":17,"composerId":"9ec2","createdAt":1795687200000,"lastUpdatedAt":1795687209000,"fullConversationHeadersOnly":[{"bubbleId":"b3","type":1},{"bubbleId":"b1","type":2},{"bubbleId":"b2","type":2},{"bubbleId":"b5","type":2},{"bubbleId":"b4","type":1}]}'),
	('composerData:sub', '{"_v":17,"composerId":"sub","createdAt":1795687202000,"fullConversationHeadersOnly":[]}'),
	('bubbleId:9ec2:b1', '{"_v":3,"type":2,"bubbleId":"b1","createdAt":"2026-11-26T10:00:02.000Z","text":"I will look.","thinking":{"text":"hm","signature":""}}'),
	('bubbleId:9ec2:b2', '{"_v":3,"type":2,"bubbleId":"b2","createdAt":"2026-11-26T10:00:03.000Z","capabilityType":15,"text":"","toolFormerData":{"tool":15,"name":"run_terminal_command_v2","toolCallId":"call_1","params":"{\"command\":\"echo hi\"}","status":"completed","result":"hi\n"}}'),
	('bubbleId:9ec2:b3', '{"_v":3,"type":1,"bubbleId":"b3","createdAt":"2026-11-26T10:00:00.000Z","text":"Use tabs, please.","richText":"{}"}'),
	('bubbleId:9ec2:b4', '{"_v":3,"type":1,"bubbleId":"b4","createdAt":"2026-11-26T10:00:09.000Z","text":"And a heading."}'),
	('bubbleId:9ec2:b5', CAST('{"_v":3,"type":2,"bubbleId":"b5","createdAt":"2026-11-26T10:00:04.000Z","text":"Noted."}' AS BLOB)),
	('bubbleId:9ec2:gone', '{"_v":3,"type":1,"bubbleId":"gone","text":"Taken back."}'),
	('bubbleId:sub:b1', '{"_v":3,"type":1,"bubbleId":"b1","text":"Of a sub-agent."}');
