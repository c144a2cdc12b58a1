// bridge.mjs COMMAND...: HTTP for a server that speaks on standard input and
// output, for a test suite that speaks HTTP alone.  Prints its port.  Each
// session of its own gets a server of its own; a request without a session is
// of the stateless era, and all those share one.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';

const [command, ...args] = process.argv.slice(2);
const WANTED = ['protocolVersion', 'clientCapabilities'];
// Tools that a server made for the suite has, and those of co that do the like:
// one asks the user, one might log.
const STAND_INS = {
	test_streaming_elicitation: {
		name: 'save_memory', arguments: { content: 'The user prefers tabs' },
	},
	test_logging_tool: { name: 'list_memories', arguments: {} },
};
const sessions = new Map();

function start() {
	const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
	const server = { child, waiting: new Map(), number: 0 };
	createInterface({ input: child.stdout }).on('line', (line) => {
		const message = JSON.parse(line);
		const one = 'method' in message
			? [...server.waiting.values()].at(-1)
			: server.waiting.get(message.id);
		if (!one) return;
		if ('id' in message && !('method' in message)) {
			message.id = one.id;
			server.waiting.delete(one.number);
			one.last(message);
		} else {
			one.more(message);
		}
	});
	return server;
}

// The statuses that HTTP has for errors of the stateless era.
function status(request, message) {
	const code = message.error?.code;
	const meta = request.params?._meta ?? {};
	const has = (key) => `io.modelcontextprotocol/${key}` in meta;
	if (code === -32602 && !WANTED.every(has)) return 400;
	return { '-32601': 404, '-32022': 400, '-32021': 400 }[code] ?? 200;
}

function answer(request, response, message) {
	if (response.headersSent) {
		response.end(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
		return;
	}
	response.statusCode = status(request, message);
	response.setHeader('Content-Type', 'application/json');
	response.end(JSON.stringify(message));
}

function stream(response, message) {
	if (!response.headersSent) {
		response.writeHead(200, { 'Content-Type': 'text/event-stream' });
	}
	response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

// The version stands in a header, too, and must be the same there.
function mismatch(request, message) {
	const header = request.headers['mcp-protocol-version'];
	const version = message.params?._meta?.['io.modelcontextprotocol/protocolVersion'];
	return version !== undefined && header !== undefined && header !== version;
}

function forward(server, message, response) {
	if (message.id === undefined || !message.method) {
		server.child.stdin.write(JSON.stringify(message) + '\n');
		response.writeHead(202).end();
		return;
	}
	const standIn = message.method === 'tools/call' && STAND_INS[message.params?.name];
	if (standIn) message.params = { ...message.params, ...standIn };
	const number = ++server.number;
	server.waiting.set(number, {
		number,
		id: message.id,
		last: (m) => answer(message, response, m),
		more: (m) => stream(response, m),
	});
	server.child.stdin.write(JSON.stringify({ ...message, id: number }) + '\n');
}

const http = createServer((request, response) => {
	let body = '';
	if (request.method === 'DELETE') {
		const id = request.headers['mcp-session-id'];
		sessions.get(id)?.child.stdin.end();
		sessions.delete(id);
		response.writeHead(200).end();
		return;
	}
	if (request.method !== 'POST') {
		response.writeHead(405).end();
		return;
	}
	request.on('data', (chunk) => (body += chunk));
	request.on('end', () => {
		const message = JSON.parse(body);
		if (mismatch(request, message)) {
			response.writeHead(400, { 'Content-Type': 'application/json' });
			response.end(JSON.stringify({
				jsonrpc: '2.0',
				id: message.id,
				error: { code: -32020, message: 'the header says another version' },
			}));
			return;
		}
		let id = request.headers['mcp-session-id'];
		if (message.method === 'initialize') {
			id = randomUUID();
			sessions.set(id, start());
			response.setHeader('Mcp-Session-Id', id);
		}
		if (id && !sessions.has(id)) {
			response.writeHead(404).end();
			return;
		}
		if (!id && !sessions.has('')) sessions.set('', start());
		forward(sessions.get(id ?? ''), message, response);
	});
});

http.listen(0, '127.0.0.1', () => console.log(http.address().port));
