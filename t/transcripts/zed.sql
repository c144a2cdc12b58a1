-- The threads of Zed's own agent, as of 2026.
CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL,
	updated_at TEXT NOT NULL, data_type TEXT NOT NULL, data BLOB NOT NULL,
	parent_id TEXT, folder_paths TEXT, folder_paths_order TEXT, created_at TEXT);
INSERT INTO threads VALUES ('z1', 'Tabs', '2026-11-26T10:00:09.123456789+00:00',
	'json', '{"title":"Tabs","messages":[
	{"User":{"id":"m1","content":[{"Text":"Use tabs in "},{"Mention":{"uri":{"File":{"abs_path":"/home/ada/project/a.c"}},"content":"int a;"}},
	{"Text":", please."}]}},
	{"Agent":{"content":[
	{"Thinking":{"text":"hm","signature":null}},
	{"Text":"I will look."},
	{"ToolUse":{"id":"t1","name":"terminal","raw_input":"{}","input":{"type":"json","value":{"command":"make","cd":"project"}},"is_input_complete":true,"thought_signature":null}},
	{"ToolUse":{"id":"t2","name":"read_file","raw_input":"{}","input":{"path":"b.c"},"is_input_complete":true,"thought_signature":null}},
	{"Text":"Noted."}],
	"tool_results":{"t1":{"tool_use_id":"t1","tool_name":"terminal","is_error":false,"content":[{"Text":"Command \"make\" failed with exit code 2.\n\n```\nno rule\n```"}],"output":null},
	"t2":{"tool_use_id":"t2","tool_name":"read_file","is_error":true,"content":{"Text":"no b.c"},"output":null}},"reasoning_details":null}},
	"Resume",
	{"Compaction":{"Summary":"They use tabs."}},
	{"User":{"id":"m2","content":[{"Text":"And a heading."}]}}],
	"updated_at":"2026-11-26T10:00:09.5Z",
	"initial_project_snapshot":{"worktree_snapshots":[{"worktree_path":"/home/ada/project","git_state":null}],"timestamp":"2026-11-26T10:00:00Z"},"version":"0.3.0"}',
	NULL, '/home/ada/project'||char(10)||'/home/ada/two', '0,1', '2026-11-26T10:00:00.123456789+00:00');
-- The same thread, compressed.
INSERT INTO threads VALUES ('z2', 'Tabs', '2026-11-26T10:00:08.123456789+00:00',
	'zstd', x'28b52ffd045825130036a66b24206fab03b0af56d219d9c1f7f1c47e2401f0e60805458b6c13ea169f4f50710d200814045d005e00630049a9287ac1a686ed51f4465946373c1125c4586719fce2c3f8fad30bb119d9d775760de175bd49faba0e636bc80aaf2a7a822dcdc876e2e9f0f5b66047436e189bab37ded79df6ba2e793abc42ac4f96ec9cfcae3e23ebf83abb6efd1acd0e7ab161b37ddd69aece9385fb5e6ca85b8aabc33827beced045bf5e3daa5f6f0ac1c62a565edd2d6c4f727f9ddfc2e6e9e062745c99c4e89273ad22253847e13a4bda0b256d5efd3dfdba2e816d02dbe37885a8128308125de1b9eca0dbec30096c30ce657915a50819a6af9a467654a608e1232222023ee04361123bb149dd2c383ddd2a92c3aead44fae3910e78ba955897514a66b335e349998bb131dbd1c992b918fb0a125d71b8e3c21b25c2ae4930675932ac1f098d4f5f3195bdce01d1172540593e25535c457f58a0b73df9b5be82f4f664dd245767963d91b1223e135a381973dbba3d082804cb5a96b5341c030c40a30130c02cccd77b99c3bd0e44af2012d89ce5276d72a001a3d074c18fe3eb1772dfa30dcd422f1ebcaaf3a393193e5d0b40a84129324660081121a140289014a60350224184ee7c1220318a9ae249a5cccc0433a116d6acbf0172341c095587fec502c474f22662c3c18ab7868b98cd058aea71a2e5d670794e8599a7d61a4059d7eb765701ca9cfab52a571d6455a2444fa51910e6f6542a5bc81f54d52574e4862053ac6641737341202c1e897fb3108cb8396bc233d17091ad8894445f39821622cca38a1964a2812c492750bbfe80abbad481688092cf031b7e7f2ab3575d8860356396a3ed',
	NULL, '/home/ada/project', '0', '2026-11-26T10:00:00.123456789+00:00');
-- One that a sub-agent had.
INSERT INTO threads VALUES ('z3', 'Tabs', '2026-11-26T10:00:09.123456789+00:00',
	'json', '{"version":"0.3.0","messages":[]}',
	'z1', NULL, NULL, '2026-11-26T10:00:00.123456789+00:00');
-- Those of releases of 2025.
INSERT INTO threads VALUES ('z4', 'Tabs', '2026-11-26T10:00:07.123456789+00:00',
	'json', '{"version":"0.2.0","summary":"Tabs","messages":[
	{"id":0,"role":"user","segments":[{"type":"text","text":"Use tabs, please."}],"context":"<context>int a;</context>"},
	{"id":1,"role":"assistant","segments":[{"type":"thinking","text":"hm"},{"type":"text","text":"I will look."}],
	"tool_uses":[{"id":"t1","name":"terminal","input":{"command":"make","cd":"project"}}],
	"tool_results":[{"tool_use_id":"t1","is_error":true,"content":"no rule","output":null}]},
	{"id":2,"role":"user","segments":[{"type":"text","text":"Continue."}],"is_hidden":true},
	{"id":3,"role":"system","segments":[{"type":"text","text":"You help."}]},
	{"id":4,"role":"user","segments":[{"type":"text","text":"And a heading."}]}],
	"initial_project_snapshot":{"worktree_snapshots":[{"worktree_path":"/home/ada/project"}]}}',
	NULL, NULL, NULL, NULL);
INSERT INTO threads VALUES ('z5', 'Tabs', '2026-11-26T10:00:06.123456789+00:00',
	'json', '{"summary":"Tabs","messages":[
	{"id":0,"role":"user","text":"Use tabs, please."},
	{"id":1,"role":"assistant","text":"I will look.","tool_uses":[{"id":"t1","name":"terminal","input":{"command":"make"}}]},
	{"id":2,"role":"user","text":"","tool_results":[{"tool_use_id":"t1","is_error":true,"content":"no rule","output":null}]}]}',
	NULL, NULL, NULL, NULL);
