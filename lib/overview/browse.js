'use strict';
/* browse.js: the program that displays the records in #data.
 *
 * Everything from a file enters the page as text, never as markup. The only
 * external links are addresses written in full in a text, and each is shown as
 * the address it leads to.
 */

const data = JSON.parse(document.getElementById('data').textContent);
const at = id => document.getElementById(id);
const wide = matchMedia('(min-width: 60.01rem)');

const AREAS = [
	['memories', 'Memories', 'memory'],
	['drafts', 'Drafts', 'draft'],
	['archive', 'Replaced', 'replaced memory'],
	['articles', 'Articles', 'article'],
];
const STEP = 200; // rows that are shown at a time
const MONTHS = 60; // maximum number of bars for months; beyond, a bar is a year
const MARKS = 2000; // maximum number of matches marked in one text

/* The current filters and selection. */
const state = {
	view: 'memories', scope: null, tags: new Set(), span: null,
	words: [], shown: STEP, chosen: null,
};

/* Create an element. CHILDREN that are not elements are inserted as text. */
function make(name, attributes, ...children) {
	const element = document.createElement(name);

	for (const [key, value] of Object.entries(attributes || {})) {
		if (key.startsWith('on'))
			element.addEventListener(key.slice(2), value);
		else if (key === 'class')
			element.className = value;
		else if (value !== null && value !== undefined)
			element.setAttribute(key, value);
	}
	element.append(...children);
	return element;
}

function count(n, what) {
	const many = what.endsWith('y') ? what.slice(0, -1) + 'ies' : what + 's';

	return n.toLocaleString('en') + ' ' + (n === 1 ? what : many);
}

/* Remove case and accents, for comparison. */
function fold(text) {
	return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/* The records, with derived fields. */

const records = data.records;
const byKey = new Map(); // scope/file
const byId = new Map(); // "project 7" to a list: ids may be duplicates
const byFormer = new Map(); // as byId, for ids that a repair replaced

function remember(map, key, r) {
	if (!map.has(key))
		map.set(key, []);
	map.get(key).push(r);
}

function ids(value) {
	return (Array.isArray(value) ? value : [value])
		.filter(id => Number.isInteger(id));
}

/* The date of R as YYYY-MM-DD; "" if JavaScript cannot represent it. */
function day(r) {
	const date = new Date(r.at * 1000);

	return r.at === undefined || isNaN(date) ? '' : date.toISOString().slice(0, 10);
}

for (const r of records) {
	// A hidden record has no file name, since that shows the first words.
	const place = r.file || r.path || r.area + '/' + r.id;
	const name = place.split('/').pop();

	r.keys = r.keys || {};
	r.name = name;
	r.key = r.scope + '/' + place;
	r.day = day(r);
	r.first = r.hidden ? '(sensitive)' :
		r.title || r.text.split('\n').find(line => line.trim()) || name;
	r.label = r.id ? (r.scope === 'global' ? 'g' : '') + r.id : '';
	byKey.set(r.key, r);
	if (r.id)
		remember(byId, r.scope + ' ' + r.id, r);
	for (const id of ids(r.keys.formerly))
		remember(byFormer, r.scope + ' ' + id, r);
}
records.sort((x, y) => (y.at ?? -Infinity) - (x.at ?? -Infinity) ||
	(y.id || 0) - (x.id || 0) || (x.key < y.key ? -1 : 1));

function find(scope, id) {
	const key = scope + ' ' + id;

	return byId.get(key) || byFormer.get(key) || [];
}

/* Links between records: from frontmatter, and from texts that mention another
 * record as "memory 7", "co show g7", "[[7]]" or by its file name. */

const CITES = /\b(?:memory|memories|draft|co (?:show|edit|forget))\s+(g?\d{1,9})\b|\[\[(g?\d{1,9})\]\]|\b(\d{3,9}-[a-z0-9-]+\.md)\b/gi;
const byName = new Map(records.map(r => [r.scope + ' ' + r.name, r]));

/* The records that MATCH, a mention in the text of R, refers to. */
function cited(r, match) {
	const id = (match[1] || match[2] || '').toLowerCase();
	let found;

	if (match[3])
		found = [byName.get(r.scope + ' ' + match[3].toLowerCase())];
	else if (id.startsWith('g'))
		found = find('global', Number(id.slice(1)));
	else
		found = find(r.scope, Number(id));
	return found.filter(other => other && other !== r);
}

/* The record that a citation of R refers to: an article by its address, or a
 * file of the store. Other citations are not in this page. */
function citation(r, cite) {
	const what = String(cite).replace(/@[0-9a-f]*$/, '').replace(/#L[\d-L]*$/, '');
	const file = what.replace(/^\.co-cli\/knowledge\//, '');
	const known = records.find(other => other.area === 'articles' &&
		other.source === what && other.scope === r.scope) ||
		byKey.get(r.scope + '/' + file);

	return known ? [known] : [];
}

let linked = false;

/* Compute the links when the first record is opened. */
function link() {
	if (linked)
		return;
	linked = true;
	for (const r of records)
		r.links = new Map();
	const add = (r, others, one, back) => {
		for (const other of others) {
			if (other === r)
				continue;
			if (!r.links.has(other))
				r.links.set(other, one);
			if (!other.links.has(r))
				other.links.set(r, back);
		}
	};
	for (const r of records) {
		for (const id of ids(r.keys.supersedes))
			add(r, find(r.scope, id), 'replaces', 'replaced by');
		for (const id of ids(r.keys.superseded))
			add(r, find(r.scope, id), 'replaced by', 'replaces');
		for (const id of r.area === 'drafts' ? ids(r.keys.replaces) : [])
			add(r, find(r.scope, id), 'would replace', 'to be replaced by');
		for (const cite of Array.isArray(r.keys.cites) ? r.keys.cites : [])
			add(r, citation(r, cite), 'cites', 'cited by');
		if (r.label && byId.get(r.scope + ' ' + r.id).length > 1)
			add(r, byId.get(r.scope + ' ' + r.id), 'has the same id as',
				'has the same id as');
	}
	for (const r of records) {
		for (const match of r.text.matchAll(CITES))
			add(r, cited(r, match), 'names', 'named by');
	}
}

/* Filters. isWanted() applies all of them except SKIP. */

function isWanted(r, skip) {
	if (skip !== 'view' && r.area !== state.view)
		return false;
	if (state.scope && skip !== 'scope' && r.scope !== state.scope)
		return false;
	if (state.span && skip !== 'span' && !r.day.startsWith(state.span))
		return false;
	for (const tag of skip === 'tags' ? [] : state.tags) {
		if (!r.tags.some(t => fold(t) === tag))
			return false;
	}
	if (state.words.length && r.hay === undefined)
		r.hay = fold([r.label, r.text, r.title || '', r.tags.join(' '),
			r.source || '', r.name].join('\n'));
	return state.words.every(word => r.hay.includes(word));
}

function narrowed() {
	return state.words.length || state.tags.size || state.span || state.scope;
}

function widen() {
	at('search').value = '';
	state.words = [];
	state.tags.clear();
	state.span = state.scope = null;
	show();
}

/* A pattern of the search words, or null. */
function pattern() {
	const words = at('search').value.trim().split(/\s+/).filter(word => word);

	return words.length ? new RegExp(words
		.map(word => word.replace(/[\\^$.*+?()[\]{}|\/-]/g, '\\$&'))
		.join('|'), 'giu') : null;
}

function mark(into, text) {
	const words = pattern();
	let from = 0, n = 0;

	for (const match of words ? text.matchAll(words) : []) {
		if (n++ >= MARKS)
			break;
		into.append(text.slice(from, match.index),
			make('mark', null, match[0]));
		from = match.index + match[0].length;
	}
	into.append(text.slice(from));
	return into;
}

/* The sidebar: views, stores, tags. */

function choice(label, n, pressed, onclick, attributes) {
	return make('button', {type: 'button', 'aria-pressed': String(pressed),
		onclick, ...attributes}, make('span', {dir: 'auto'}, label),
	n === null ? '' : make('span', null, n.toLocaleString('en')));
}

function showViews() {
	const list = at('views');

	list.replaceChildren(...AREAS.map(([area, label]) => make('li', null,
		choice(label, records.filter(r => r.area === area &&
			isWanted(r, 'view')).length,
			state.view === area, () => setView(area)))));
	list.append(make('li', null, choice('Context', null,
		state.view === 'context', () => setView('context'))));
}

function showStores() {
	const names = {project: 'Project', global: 'User'};

	at('stores').hidden = data.stores.length < 2;
	at('stores').replaceChildren(...data.stores.map(({scope}) => choice(
		names[scope], records.filter(r => r.scope === scope &&
			isWanted(r, 'scope')).length, state.scope === scope, () => {
			state.scope = state.scope === scope ? null : scope;
			show();
		})));
}

function showTags() {
	const tags = new Map();

	for (const r of records) {
		for (const tag of isWanted(r) ? new Set(r.tags) : []) {
			const entry = tags.get(fold(tag)) || {name: tag, n: 0};

			entry.n++;
			tags.set(fold(tag), entry);
		}
	}
	for (const tag of state.tags) {
		if (!tags.has(tag))
			tags.set(tag, {name: tag, n: 0});
	}
	at('tagging').hidden = !tags.size;
	at('tags').replaceChildren(...[...tags]
		.sort(([, x], [, y]) => y.n - x.n || (x.name < y.name ? -1 : 1))
		.slice(0, 500)
		.map(([key, {name, n}]) => make('li', null,
			choice(name, n, state.tags.has(key), () => setTag(key)))));
}

/* Update the list, and bring it into view if a record covers it. */
function showFound() {
	if (!wide.matches && state.chosen) {
		location.replace('#');
		choose(null);
	}
	show();
}

function setTag(key) {
	if (!state.tags.delete(key))
		state.tags.add(key);
	showFound();
}

function setView(view) {
	state.view = view;
	state.span = null;
	if (location.hash)
		location.replace('#');
	choose(null);
	show();
}

/* The time line: one bar per month or year. */

function spans(from, to, length) {
	const all = [];
	let year = Number(from.slice(0, 4)), month = Number(from.slice(5, 7));
	const last = to.slice(0, length);

	for (;;) {
		const span = (String(year).padStart(4, '0') + '-' +
			String(month).padStart(2, '0')).slice(0, length);

		all.push(span);
		if (span >= last)
			return all;
		if (length === 4 || month === 12)
			year++;
		month = month % 12 + 1;
	}
}

function showTimeline() {
	const found = records.filter(r => r.day.length === 10 && isWanted(r, 'span'));
	const box = at('timeline'), n = new Map();

	box.hidden = at('span').hidden = !found.length;
	if (box.hidden)
		return;
	const first = found[found.length - 1].day, last = found[0].day;
	const years = Number(last.slice(0, 4)) - Number(first.slice(0, 4));
	const length = years * 12 > MONTHS ? 4 : 7;

	for (const r of found)
		n.set(r.day.slice(0, length), (n.get(r.day.slice(0, length)) || 0) + 1);
	const most = Math.max(...n.values());
	const all = years > 200 ? [...n.keys()].reverse() : spans(first, last, length);

	box.replaceChildren(...all.map(span => {
		const bar = make('i');

		bar.style.height = n.has(span) ?
			Math.max(6, 100 * n.get(span) / most) + '%' : '0';
		return make('button', {type: 'button',
			'aria-pressed': String(state.span === span),
			tabindex: n.has(span) ? 0 : -1,
			title: span + ': ' + (n.get(span) || 0),
			'aria-label': span + ': ' + (n.get(span) || 0),
			onclick: () => {
				state.span = state.span === span ? null : span;
				show();
			}}, bar);
	}));
	at('span').replaceChildren(make('span', null, all[0]),
		make('span', null, all.length > 1 ? all[all.length - 1] : ''));
}

/* The list. */

/* The line of R that matches the search. */
function line(r) {
	const words = r.first.length < 2000 && pattern();

	if (!words || r.hidden || r.first.search(words) >= 0)
		return r.first;
	return r.text.split('\n', 500).find(l => l.search(words) >= 0) || r.first;
}

function row(r) {
	const about = make('span', {class: 'about'});

	for (const piece of [r.day, r.worktree && 'worktree ' + r.worktree,
		data.stores.length > 1 && r.scope === 'global' && 'user', ...r.tags])
		if (piece)
			about.append(about.hasChildNodes() ? ' · ' : '',
				make('span', {dir: 'auto'}, piece));
	return make('a', {href: '#' + encodeURIComponent(r.key),
		'aria-current': String(r === state.chosen)},
	make('span', {class: 'id'}, r.label),
	mark(make('span', {class: 'line', dir: 'auto'}), line(r).slice(0, 300)), about);
}

function month(r) {
	return r.day ? new Date(r.day.slice(0, 7) + '-01T00:00:00Z').toLocaleString('en',
		{month: 'long', year: 'numeric', timeZone: 'UTC'}) : 'Without a date';
}

let found = [];

function showRows(from) {
	const list = at('list');

	for (const r of found.slice(from, state.shown)) {
		if (month(r) !== list.dataset.month) {
			list.dataset.month = month(r);
			list.append(make('h2', null, month(r)));
		}
		r.row = row(r);
		list.append(r.row);
	}
	at('more').hidden = found.length <= state.shown;
}

function showMore() {
	const from = state.shown;

	if (from >= found.length)
		return;
	state.shown += STEP;
	showRows(from);
}

const NOTHING = {
	memories: 'Nothing is remembered yet. “co learn TEXT” saves the first memory.',
	drafts: 'No draft waits for a yes.',
	archive: 'No memory was replaced by another.',
	articles: 'There are no articles.',
};

function showList() {
	const what = AREAS.find(([area]) => area === state.view)[2];
	const list = at('list'), status = at('count');

	found = records.filter(r => isWanted(r));
	state.shown = STEP;
	delete list.dataset.month;
	list.replaceChildren();
	status.replaceChildren(count(found.length, what));
	if (narrowed())
		status.append(' found ', make('button', {type: 'button', onclick: widen},
			'Show all'));
	if (!found.length)
		list.append(make('p', {class: 'empty'}, narrowed() ?
			'No matches.' : NOTHING[state.view]));
	showRows(0);
}

function show() {
	document.body.classList.toggle('whole', state.view === 'context');
	showViews();
	showStores();
	showTags();
	if (state.view === 'context') {
		at('stores').hidden = at('tagging').hidden = true;
		showContext();
		return;
	}
	showTimeline();
	showList();
	showDetail();
}

/* One record. */

const URLS = /https?:\/\/[\w.~:\/?#[\]@!$&'()*+,;=%-]+/g;

/* An external link that shows its address. null if TEXT is not a web address, or
 * has a user name, which could disguise the host. */
function outward(text) {
	let url;

	try {
		url = new URL(text);
	} catch {
		return null;
	}
	if (!/^https?:$/.test(url.protocol) || url.username || url.password)
		return null;
	return make('a', {href: url.href, target: '_blank',
		rel: 'noopener noreferrer nofollow'}, text);
}

/* TEXT of R with links and marked search words. */
function running(r, text) {
	const box = make('div', {class: 'text', dir: 'auto'});
	const links = [];
	let from = 0;

	for (const match of text.matchAll(URLS)) {
		const url = match[0].replace(/[.,;:!?'")\]]+$/, '');
		const next = text.codePointAt(match.index + url.length) || 0;

		if (next < 0x80)
			links.push([match.index, url, () => outward(url)]);
	}
	for (const match of text.matchAll(CITES)) {
		const others = cited(r, match);

		if (others.length)
			links.push([match.index, match[0], () => make('a',
				{href: '#' + encodeURIComponent(others[0].key)}, match[0])]);
	}
	for (const [start, what, element] of links.sort((x, y) => x[0] - y[0])) {
		if (start < from)
			continue;
		mark(box, text.slice(from, start));
		box.append(element() || what);
		from = start + what.length;
	}
	mark(box, text.slice(from));
	return box;
}

function note(text) {
	return make('p', {class: 'note'}, text);
}

function kind(r) {
	return AREAS.find(([area]) => area === r.area)[2];
}

function reference(r) {
	return make('a', {href: '#' + encodeURIComponent(r.key)},
		(r.label || r.name) + (r.area === 'memories' ? '' : ' (' + kind(r) + ')') +
		': ' + r.first.slice(0, 200));
}

function links(r) {
	const groups = new Map();

	link();
	for (const [other, how] of r.links)
		remember(groups, how, other);
	return [...groups].flatMap(([how, others]) => [
		make('h3', null, how[0].toUpperCase() + how.slice(1)),
		make('ul', {class: 'links'},
			...others.map(other => make('li', null, reference(other)))),
	]);
}

/* The commands that act on R. */
function commands(r) {
	const id = r.label;

	return {
		memories: 'co edit ' + id + ', co forget ' + id,
		drafts: 'co review --accept ' + id,
		archive: 'co-memory-restore ' + (r.scope === 'global' ? '--global ' : '') + r.id,
	}[r.area];
}

function facts(r) {
	const list = make('dl');
	const add = (name, value) => value && list.append(
		make('dt', null, name), make('dd', {dir: 'auto'}, value));

	add('source', r.source && (outward(r.source) || r.source));
	add('work tree', r.worktree);
	for (const [key, value] of Object.entries(r.keys)) {
		if (key !== 'worktree')
			add(key, typeof value === 'string' ? value : JSON.stringify(value));
	}
	add('file', !r.hidden && make('code', null, r.path ||
		data.stores.find(s => s.scope === r.scope).knowledge + '/' + r.file));
	if (commands(r))
		add('commands', make('code', null, commands(r)));
	return list;
}

function bytes(text) {
	return new TextEncoder().encode(text).length;
}

function showDetail() {
	const r = state.chosen, box = at('detail');

	if (state.view === 'context')
		return;
	document.body.classList.toggle('opened', Boolean(r));
	if (!r) {
		box.replaceChildren(make('p', {class: 'empty'}, found.length ?
			'Select one. Press ? for shortcuts.' : ''));
		return;
	}
	const kept = bytes(r.text);

	box.replaceChildren(
		make('button', {type: 'button', class: 'back', onclick: goBack}, '‹ Back'),
		make('h2', null, make('span', {dir: 'auto'}, r.title || (r.label ?
			kind(r)[0].toUpperCase() + kind(r).slice(1) + ' ' + r.label : r.name)),
		make('small', null, [r.day, r.scope === 'global' ? 'user' : 'project']
			.filter(s => s).join(' · '))),
		make('div', {class: 'tags'}, ...r.tags.map(tag => make('button',
			{type: 'button', onclick: () => setTag(fold(tag)), dir: 'auto',
				'aria-pressed': String(state.tags.has(fold(tag)))}, tag))));
	if (r.area === 'drafts')
		box.append(note('A draft: it waits for a person’s yes.'));
	if (r.area === 'archive')
		box.append(note('Another memory replaced it: no search shows it.'));
	if (r.area === 'articles' || r.keys.trust === 'external')
		box.append(note('This text is from elsewhere: nobody here vouches for it.'));
	if (r.hidden)
		box.append(note('It says sensitive: true, so its text is not in this page. ' +
			'“co browse --sensitive” puts it in.'));
	else
		box.append(running(r, r.text));
	if (kept < r.length)
		box.append(note('Cut here, so that the page stays small: ' +
			kept.toLocaleString('en') + ' of ' + r.length.toLocaleString('en') +
			' bytes. The file has all of it.'));
	box.append(...links(r), facts(r));
	box.scrollTop = 0;
}

function choose(r) {
	if (state.chosen && state.chosen.row)
		state.chosen.row.setAttribute('aria-current', 'false');
	state.chosen = r;
	if (r && r.row)
		r.row.setAttribute('aria-current', 'true');
}

/* The context. */

function meter(label, size, most, rest) {
	const bar = make('i'), over = size > most;

	bar.style.width = Math.min(100, 100 * size / most) + '%';
	return make('div', {class: over ? 'budget over' : 'budget'},
		make('p', null, make('span', null, label), make('b', null,
			size.toLocaleString('en') + ' of ' + most.toLocaleString('en') +
			' bytes' + (over ? ', too many' : ''))),
		make('div', {class: 'meter', 'aria-hidden': 'true'}, bar),
		...rest.filter(s => s).map(s => make('p', {class: 'path'}, s)));
}

function showContext() {
	const c = data.context, box = at('detail');
	const names = {project: 'The project’s', global: 'The user’s'};

	box.replaceChildren(make('h2', null, 'Context',
		make('small', null, 'what every session begins with')),
	meter('Together, as sessions get it', c.size, c.target, [c.size > c.limit &&
		'Cut at ' + c.limit.toLocaleString('en') + ' bytes.']),
	...c.parts.map(part => meter(names[part.scope] +
		(part.state === 'loaded' ? '' : ' (' + part.state + ')'),
	part.size, part.budget, [part.trouble || part.path, part.rules &&
		'with ' + count(part.rules, 'memory') + ' that say always: true'])),
	c.text ? make('div', {class: 'text', dir: 'auto'}, c.text) :
		make('p', {class: 'empty'},
			'No context yet. “co context --edit” begins one.'));
	document.body.classList.remove('opened');
}

/* Navigation. */

/* Show the record that the fragment of the URL names. */
function follow() {
	let r = null;

	try {
		r = byKey.get(decodeURIComponent(location.hash.slice(1))) || null;
	} catch {
		r = null; // not a fragment of this page
	}
	// It is already displayed: keep the reader's position.
	if (r && r === state.chosen && r.area === state.view &&
		r.row?.isConnected && document.body.classList.contains('opened'))
		return;
	choose(r);
	if (r && r.area !== state.view) {
		state.view = r.area;
		state.span = null;
		show();
	}
	if (r && !isWanted(r))
		widen();
	showDetail();
	if (r)
		reveal(r);
}

/* Extend the list until it contains R. */
function reveal(r) {
	while (found.includes(r) && state.shown < found.length && !r.row?.isConnected)
		showMore();
	choose(r);
}

function goBack() {
	const r = state.chosen;

	location.replace('#');
	choose(null);
	showDetail();
	if (r && r.row && r.row.isConnected)
		r.row.focus();
	else
		at('list').focus();
}

/* Move by STEP rows from the focused or the selected one. */
function move(step) {
	const focused = found.findIndex(r => r.row === document.activeElement);
	const from = focused >= 0 ? focused : found.indexOf(state.chosen);
	const to = Math.max(0, Math.min(found.length - 1, from + step));

	if (!found.length || state.view === 'context')
		return;
	if (to >= state.shown)
		showMore();
	found[to].row.focus();
	found[to].row.scrollIntoView({block: 'nearest'});
	if (wide.matches && found[to] !== state.chosen) {
		choose(found[to]);
		showDetail();
		location.replace('#' + encodeURIComponent(found[to].key));
	}
}

function escape() {
	if (document.body.classList.contains('opened') && (!wide.matches ||
		at('detail').contains(document.activeElement)))
		goBack();
	else if (narrowed())
		widen();
	else
		document.activeElement.blur();
}

const KEYS = {
	'/': () => {
		if (state.view === 'context')
			setView('memories');
		if (!wide.matches && state.chosen)
			goBack();
		at('search').focus();
		at('search').select();
	},
	'?': () => at('help').showModal(),
	'j': () => move(1), 'ArrowDown': () => move(1),
	'k': () => move(-1), 'ArrowUp': () => move(-1),
	't': () => {
		at('tagging').open = true;
		at('tags').querySelector('button')?.focus();
	},
	'1': () => setView('memories'), '2': () => setView('drafts'),
	'3': () => setView('archive'), '4': () => setView('articles'),
	'5': () => setView('context'),
	'Escape': escape,
};

document.addEventListener('keydown', event => {
	const typing = event.target === at('search');

	if (event.ctrlKey || event.metaKey || event.altKey || at('help').open ||
		event.isComposing || !Object.hasOwn(KEYS, event.key))
		return;
	if (typing && !/^(Escape|Arrow)/.test(event.key))
		return;
	if (event.key.startsWith('Arrow') && at('detail').contains(document.activeElement))
		return;
	event.preventDefault();
	KEYS[event.key]();
});

at('search').addEventListener('input', () => {
	state.words = fold(at('search').value).split(/\s+/).filter(word => word);
	if (state.view === 'context')
		state.view = 'memories';
	showFound();
});

at('search').addEventListener('keydown', event => {
	if (event.key === 'Enter' && found.length && !event.isComposing) {
		event.preventDefault();
		found[0].row.click();
	}
});

/* Enter on a row opens the record and then moves the focus into it. A click on
 * the open record draws it again. */
document.addEventListener('click', event => {
	const link = event.target.closest('a');

	if (!link || !link.hash)
		return;
	if (at('list').contains(link) && event.detail === 0 &&
		!event.ctrlKey && !event.metaKey && !event.shiftKey) {
		event.preventDefault();
		location.hash = link.hash;
		follow();
		at('detail').focus();
	} else if (link.hash === location.hash)
		follow();
});

at('keys').addEventListener('click', () => at('help').showModal());
at('more').addEventListener('click', showMore);
new IntersectionObserver(entries => {
	if (entries.some(entry => entry.isIntersecting))
		showMore();
}, {rootMargin: '400px'}).observe(at('more'));
addEventListener('hashchange', follow);

const home = data.stores[0];
at('name').textContent = home.scope === 'global' ? 'user' :
	home.path.split('/').slice(-2)[0];
document.title = 'co: ' + at('name').textContent;
at('made').textContent = 'Made ' + data.made.replace('T', ' ').replace('Z', ' UTC') +
	' from ' + data.stores.map(s => s.path).join(' and ') +
	'. This page loads nothing and sends nothing.';
if (!wide.matches)
	at('tagging').open = false;
show();
follow();
