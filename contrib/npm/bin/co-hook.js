#!/usr/bin/env node
'use strict';
require('../run.js').run('co-hook', process.argv.slice(2));
