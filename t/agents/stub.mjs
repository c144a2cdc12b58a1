// stub.mjs LOG: a model on the loopback, for four protocols of agents.
//
// Prints its port, and appends each request as a JSON line to LOG.  Where the
// request offers a tool whose name holds save_memory, or recall_memory if the
// word RECALL stands anywhere in it, and no result of a tool is there yet, the
// answer calls that tool, by way of tool_call where the request only names it;
// else it says "done".  With the word QUIETLY it calls none before it is asked
// what it learned.  Where gemini wants a session
// summed up, it does.
import { createServer } from 'node:http';
import { appendFileSync } from 'node:fs';

const log = process.argv[2];
const save = { content: 'The user prefers tabs over spaces', tags: ['style'] };
const recall = { query: 'tabs or spaces' };
let memory, tool_name; // of the request at hand
const wanted = (name) => typeof name === 'string' && name.includes(tool_name);

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
	const tool = (body.tools ?? []).find((t) => wanted(t.name));
	const told = JSON.stringify(body.messages ?? []).includes('"tool_result"');
	const call = tool && !told;
	const block = call
		? { type: 'tool_use', id: 'toolu_1', name: tool.name, input: {} }
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
	const told = JSON.stringify(body.input ?? []).includes('"function_call_output"');
	const item = tool && !told
		? { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: tool.name,
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
	const tool = tools.find((t) => wanted(t.name));
	const told = JSON.stringify(body.contents ?? []).includes('"functionResponse"');
	const sums_up = JSON.stringify(body.systemInstruction ?? '')
		.includes('<state_snapshot>');
	const part = sums_up ? { text: '<state_snapshot>remember: a model</state_snapshot>' }
		: tool && !told ? { functionCall: { name: tool.name, args: memory } }
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
	const told = (body.messages ?? []).some((m) => m.role === 'tool');
	const named = JSON.stringify(body.messages ?? [])
		.match(new RegExp('mcp__co__' + tool_name));
	if (!tool && named) {
		tool = (body.tools ?? []).find((t) => t.function?.name === 'tool_call');
		args = { name: named[0], arguments: memory };
	}
	const call = tool && !told;
	const delta = call
		? { role: 'assistant', tool_calls: [{ index: 0, id: 'call_1', type: 'function',
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
