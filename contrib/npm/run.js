// run.js: run a program of the part that fits this machine: its input, output
// and exit status are the program's, and signals are passed on.
'use strict';
const { spawn } = require('child_process');
const path = require('path');

const { name, optionalDependencies } = require('./package.json');

const note = message => process.stderr.write(`${name}: ${message}\n`);

function stop(message) {
	note(message);
	process.exit(127);
}

// The folder of the part's programs.
function find() {
	const part = `${name}-${process.platform}-${process.arch}`;

	if (!(part in optionalDependencies))
		stop(`there is no part for ${process.platform} on ${process.arch}: ` +
			'build co from its source there');
	try {
		return path.join(path.dirname(require.resolve(`${part}/package.json`)), 'bin');
	} catch {
		return stop(`the part '${part}' is missing: install ${name} again, ` +
			'without --omit=optional');
	}
}

exports.run = (program, args) => {
	const folder = find();
	const file = path.join(folder, program);

	if (args[0] === 'setup' && /[\\/]_npx[\\/]/.test(folder))
		note('npx may clear away what you set up here: ' +
			`'npm install -g ${name}' first`);
	const child = spawn(file, args, { stdio: 'inherit' });

	for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR2'])
		process.on(signal, () => child.kill(signal));
	child.on('error', error => stop(`cannot run '${file}': ${error.message}`));
	child.on('exit', (status, signal) => {
		if (!signal)
			process.exit(status);
		process.removeAllListeners(signal);
		process.kill(process.pid, signal);
	});
};
