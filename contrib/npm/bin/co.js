#!/usr/bin/env node
'use strict';
require('../run.js').run('co', process.argv.slice(2));
