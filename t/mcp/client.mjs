// client.mjs CLIENTS MODE ANSWER: one session with `co mcp` by the official
// client, whose packages lie in CLIENTS.  MODE is legacy, auto or modern;
// ANSWER is what the user says when asked (accept, decline, cancel), or none
// for a client that cannot ask.  Prints what came, a line each.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [clients, mode, action] = process.argv.slice(2);
const from = createRequire(`${clients}/package.json`);
const load = (name) => import(pathToFileURL(from.resolve(name)));
const { Client } = await load('@modelcontextprotocol/client');
const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio');

const print = (line) => console.log(line.trimEnd());
const client = new Client(
	{ name: 'official', version: '1' },
	{
		capabilities: action === 'none' ? {} : { elicitation: { form: {} } },
		versionNegotiation: {
			mode: mode === 'modern' ? { pin: '2026-07-28' } : mode,
		},
	},
);
if (action !== 'none') {
	client.setRequestHandler('elicitation/create', async (request) => {
		print(`asked: ${request.params.message.split('\n')[0]}`);
		return action === 'accept' ? { action, content: {} } : { action };
	});
}

const text = (result) => result.content[0].text.split('\n').at(-1);
const call = (name, args) => client.callTool({ name, arguments: args });

await client.connect(new StdioClientTransport({
	command: 'co', args: ['mcp'], env: process.env, stderr: 'ignore',
}));
const { tools } = await client.listTools();
print(`tools: ${tools.map((t) => t.name).join(' ')}`);
print(`instructions: ${client.getInstructions().split(' ')[0]}`);
const saved = await call('save_memory', {
	content: 'The user prefers tabs', tags: ['style'],
});
print(`saved: ${saved.structuredContent.status}: ${text(saved)}`);
const found = await call('recall_memory', { query: 'tabs' });
print(`found: ${found.structuredContent.count}`);
const listed = await call('list_memories', {});
print(`listed: ${listed.structuredContent.memories.map((m) => m.id).join(' ')}`);
const failed = await call('show_memory', { id: 99 });
print(`failed: ${failed.isError} ${text(failed)}`);
const { resources } = await client.listResources();
print(`resources: ${resources.map((r) => r.uri).join(' ')}`);
// All pages, the client's own way and by hand; and those of the tool.
const whole = async (next, items, go) => {
	const all = [];
	for (let page = await go(); ; page = await go(next(page))) {
		all.push(...items(page));
		if (!next(page)) return all.length;
	}
};
if (resources.length > 1) {
	const pages = await whole((p) => p.nextCursor, (p) => p.resources,
		(cursor) => client.request({ method: 'resources/list', params: { cursor } }));
	print(`pages: ${resources.length} ${pages}`);
	const lists = await whole((r) => r.structuredContent.next,
		(r) => r.structuredContent.memories,
		(before) => call('list_memories', before ? { before } : {}));
	print(`lists: ${lists}`);
}
const read = await client.readResource({ uri: 'co://context' });
print(`read: ${read.contents.length}`);
const { prompts } = await client.listPrompts();
print(`prompts: ${prompts.map((p) => p.name).join(' ')}`);
const prompt = await client.getPrompt({ name: 'recall', arguments: { query: 'tabs' } });
print(`prompt: ${prompt.messages.length}`);
const ids = await client.complete({
	ref: { type: 'ref/resource', uri: 'co://memory/{id}' },
	argument: { name: 'id', value: '' },
});
print(`ids: ${ids.completion.values.join(' ')}`);
await client.close();
