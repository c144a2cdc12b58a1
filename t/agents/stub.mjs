// stub.mjs LOG: a model on the loopback, with four protocols of agents.
//
// It prints its port, and appends each request as a JSON line to LOG. If a request offers a
// tool whose name contains save_memory (or recall_memory, if the word RECALL is anywhere in the
// request) and contains no tool result yet, the answer calls that tool, through tool_call if
// the request only names it. Otherwise the answer is "done". With the word QUIETLY the model
// calls no tool until it is asked what it learned. It writes a summary if Gemini requests one.
import { createServer } from 'node:http';
import { appendFileSync } from 'node:fs';

const log = process.argv[2];
const save = { content: 'The user prefers tabs over spaces', tags: ['style'] };
const recall = { query: 'tabs or spaces' };
let memory, tool_name; // of the request at hand
let steps; // the tools to be called one after the other; else null
const wanted = (name) => typeof name === 'string' && name.includes(tool_name);

// For the prompt EDITS FILE=PATH, the model reads the file, edits it twice, and runs a command.
// Fill the fields of the tool's schema.
const values = (path, from, to) => ({
	file_path: path, filePath: path, path, absolute_path: path,
	old_string: from, oldString: from, old_str: from,
	new_string: to, newString: to, new_str: to,
	instruction: 'edit', description: 'run', intention: 'edit',
	command: 'kubectl apply', cmd: 'kubectl apply',
});
const kinds = {
	read: ['Read', 'read_file', 'read', 'view'],
	edit: ['Edit', 'replace', 'edit'],
	run: ['Bash', 'run_shell_command', 'bash', 'exec_command', 'shell', 'shell_command'],
};

// Return the tool and the input of the step after N results, or null. TOOLS has the name and
// schema of each tool.
function step(tools, n) {
	const [kind, from, to] = steps[n] ?? [];
	const tool = kind && kinds[kind].map((k) => tools.find((t) => t.name === k))
		.find((t) => t);
	// Codex edits files by a command.
	if (kind === 'edit' && tools.some((t) => t.name === 'exec_command') && !tool)
		return { name: 'exec_command', input: { cmd: "apply_patch <<'END'\n*** Begin Patch\n" +
			`*** Update File: ${steps.path}\n@@\n-${from}\n+${to}\n*** End Patch\nEND\n` } };
	if (!tool) return n < steps.length ? step(tools, n + 1) : null;
	const all = values(steps.path, from, to), input = {};
	for (const key of Object.keys(tool.schema?.properties ?? {}))
		if (key in all && (kind !== 'read' || !key.startsWith('c'))) input[key] = all[key];
	return { name: tool.name, input, id: `call_${n + 1}` };
}

function sse(res, events, named) {
	res.writeHead(200, { 'content-type': 'text/event-stream' });
	for (const e of events) {
		if (named) res.write(`event: ${e.type}\n`);
		res.write(`data: ${typeof e === 'string' ? e : JSON.stringify(e)}\n\n`);
	}
	res.end();
}

function json(res, value) {
	res.writeHead(200, { 'content-type': 'application/json' });
	res.end(JSON.stringify(value));
}

// Anthropic's messages.
function claude(body, res) {
	let tool = (body.tools ?? []).find((t) => wanted(t.name));
	const results = JSON.stringify(body.messages ?? []).match(/"type":"tool_result"/g) ?? [];
	const told = results.length;
	if (steps) {
		const next = step((body.tools ?? []).map((t) => ({ name: t.name, schema: t.input_schema })), told);
		tool = next;
		memory = next?.input;
	}
	const call = tool && (steps || !told);
	const block = call
		? { type: 'tool_use', id: `toolu_${told + 1}`, name: tool.name, input: {} }
		: { type: 'text', text: '' };
	const delta = call
		? { type: 'input_json_delta', partial_json: JSON.stringify(memory) }
		: { type: 'text_delta', text: 'done' };
	const message = {
		id: 'msg_1', type: 'message', role: 'assistant', model: body.model,
		content: [], stop_reason: null, stop_sequence: null,
		usage: { input_tokens: 1, output_tokens: 1 },
	};
	const stop = call ? 'tool_use' : 'end_turn';
	if (!body.stream) {
		message.content = [call ? { ...block, input: memory }
			: { type: 'text', text: 'done' }];
		message.stop_reason = stop;
		return json(res, message);
	}
	sse(res, [
		{ type: 'message_start', message },
		{ type: 'content_block_start', index: 0, content_block: block },
		{ type: 'content_block_delta', index: 0, delta },
		{ type: 'content_block_stop', index: 0 },
		{ type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 1 } },
		{ type: 'message_stop' },
	], true);
}

// OpenAI's responses.
function codex(body, res) {
	let tool, space;
	for (const t of body.tools ?? []) {
		if (wanted(t.name)) tool = t;
		for (const inner of t.tools ?? []) {
			if (wanted(inner.name)) [tool, space] = [inner, t.name];
		}
	}
	const told = (JSON.stringify(body.input ?? []).match(/"type":"function_call_output"/g) ?? []).length;
	if (steps) {
		tool = step((body.tools ?? []).map((t) => ({ name: t.name, schema: t.parameters })), told);
		memory = tool?.input;
		space = undefined;
	}
	const item = tool && (steps || !told)
		? { type: 'function_call', id: `fc_${told + 1}`, call_id: `call_${told + 1}`, name: tool.name,
			...(space ? { namespace: space } : {}), arguments: JSON.stringify(memory) }
		: { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed',
			content: [{ type: 'output_text', text: 'done', annotations: [] }] };
	const usage = {
		input_tokens: 1, input_tokens_details: { cached_tokens: 0 },
		output_tokens: 1, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2,
	};
	sse(res, [
		{ type: 'response.created', response: { id: 'resp_1' } },
		{ type: 'response.output_item.done', output_index: 0, item },
		{ type: 'response.completed', response: { id: 'resp_1', output: [item], usage } },
	], true);
}

// Google's generateContent.
function gemini(body, res, stream) {
	const tools = (body.tools ?? []).flatMap((t) => t.functionDeclarations ?? []);
	let tool = tools.find((t) => wanted(t.name));
	const told = (JSON.stringify(body.contents ?? []).match(/"functionResponse":/g) ?? []).length;
	if (steps) {
		tool = step(tools.map((t) => ({ name: t.name, schema: t.parametersJsonSchema ?? t.parameters })), told);
		memory = tool?.input;
	}
	const sums_up = JSON.stringify(body.systemInstruction ?? '')
		.includes('<state_snapshot>');
	const part = sums_up ? { text: '<state_snapshot>remember: a model</state_snapshot>' }
		: tool && (steps || !told) ? { functionCall: { name: tool.name, args: memory } }
		: { text: 'done' };
	const answer = {
		candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts: [part] } }],
		usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
		modelVersion: 'stub',
	};
	if (stream) sse(res, [answer], false);
	else json(res, answer);
}

// OpenAI's chat completions.
function chat(body, res) {
	let tool = (body.tools ?? []).find((t) => wanted(t.function?.name));
	let args = memory;
	const told = (body.messages ?? []).filter((m) => m.role === 'tool').length;
	const named = JSON.stringify(body.messages ?? [])
		.match(new RegExp('mcp__co__' + tool_name));
	if (!tool && named) {
		tool = (body.tools ?? []).find((t) => t.function?.name === 'tool_call');
		args = { name: named[0], arguments: memory };
	}
	if (steps) {
		const next = step((body.tools ?? []).map((t) => ({ name: t.function?.name,
			schema: t.function?.parameters })), told);
		tool = next && { function: next };
		args = next?.input;
	}
	const call = tool && (steps || !told);
	const delta = call
		? { role: 'assistant', tool_calls: [{ index: 0, id: `call_${told + 1}`, type: 'function',
			function: { name: tool.function.name, arguments: JSON.stringify(args) } }] }
		: { role: 'assistant', content: 'done' };
	const chunk = (d, finish) => ({
		id: 'c', object: 'chat.completion.chunk', created: 0, model: body.model,
		choices: [{ index: 0, delta: d, finish_reason: finish }],
		...(finish ? { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } } : {}),
	});
	sse(res, [chunk(delta, null), chunk({}, call ? 'tool_calls' : 'stop'), '[DONE]'], false);
}

const server = createServer((req, res) => {
	let text = '';
	req.on('data', (d) => { text += d; });
	req.on('end', () => {
		let body = {};
		try { body = JSON.parse(text); } catch { /* not JSON: no matter */ }
		const recalls = text.includes('RECALL');
		[tool_name, memory] = recalls ? ['recall_memory', recall]
			: ['save_memory', save];
		const edited = text.match(/EDITS FILE=([^"\\ ]+)/);
		steps = edited && Object.assign([['read'], ['edit', '45', 'forty-five'],
			['edit', '46', 'forty-six'], ['run']], { path: edited[1] });
		if (text.includes('QUIETLY') && !text.includes('has co ask this once'))
			tool_name = 'none of them';
		appendFileSync(log, JSON.stringify({ url: req.url, body }) + '\n');
		if (req.url.includes('count_tokens') || req.url.includes('countTokens'))
			json(res, { input_tokens: 1, totalTokens: 1 });
		else if (req.url.includes('/messages')) claude(body, res);
		else if (req.url.includes('/responses')) codex(body, res);
		else if (req.url.includes('enerateContent'))
			gemini(body, res, req.url.includes('stream'));
		else if (req.url.includes('/chat/completions')) chat(body, res);
		else json(res, { data: [], models: [] });
	});
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
