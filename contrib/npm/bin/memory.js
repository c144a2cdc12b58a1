#!/usr/bin/env node
// What a client of the Model Context Protocol starts has no arguments and a
// pipe: it is served.  All else is `co`.
'use strict';
const args = process.argv.slice(2);

require('../run.js').run('co', args.length || process.stdin.isTTY ? args : ['mcp']);
