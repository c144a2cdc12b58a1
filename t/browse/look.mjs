// look.mjs CLIENTS PAGE HOW [PNG]: open PAGE in Debian's Chromium, run the actions HOW as a
// person would, and print what is visible. Also print each event that must never happen: a
// dialog, a request, an error.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [clients, file, how, png] = process.argv.slice(2);
const { chromium } = createRequire(clients + '/')('playwright-core');
const address = pathToFileURL(file).href;
const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM,
	args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
	timeout: 120000,
});

// Open a page of the given width that reports events that must never happen.
async function open(width, hash = '') {
	const page = await browser.newPage({ viewport: { width, height: 800 } });

	page.setDefaultTimeout(120000);
	page.on('dialog', dialog => {
		console.log('dialog:', dialog.message());
		dialog.dismiss();
	});
	page.on('request', request => {
		if (request.url().split('#')[0] !== address)
			console.log('request:', request.url());
	});
	page.on('framenavigated', frame => {
		if (frame.url().split('#')[0] !== address)
			console.log('navigated:', frame.url());
	});
	page.on('popup', popup => console.log('popup:', popup.url()));
	page.on('console', message => {
		if (/^(error|log)$/.test(message.type()))
			console.log('console:', message.text());
	});
	page.on('pageerror', error => console.log('error:', error.stack));
	await page.goto(address + hash);
	return page;
}

// Find and read elements in one step: the page may redraw between two steps, and a removed
// element has another text.
const texts = (page, what) => page.evaluate(selector =>
	[...document.querySelectorAll(selector)].map(e => e.textContent), what);
const rows = page => texts(page, '#list a .line');
const text = (page, what) => page.evaluate(selector =>
	document.querySelector(selector)?.innerText.trim() ?? selector + ' is not there', what);
const links = (page, what) => page.evaluate(selector =>
	[...document.querySelectorAll(selector)].map(e =>
		e.getAttribute('href') + ' ' + e.textContent), what);
// Go to the record of the hash, and wait until the page has handled it.
const go = (page, hash) => page.evaluate(to => new Promise(resolve => {
	addEventListener('hashchange', function seen(event) {
		if (event.newURL.endsWith(new URL(to, location).hash)) {
			removeEventListener('hashchange', seen);
			resolve();
		}
	});
	location.hash = to;
}), hash);
const focused = page => page.evaluate(() => document.activeElement.innerText ||
	document.activeElement.id);

const scenarios = {
	// Search: the matches and their marks.
	async search() {
		const page = await open(1280);

		await page.keyboard.press('/');
		await page.keyboard.type('STRASSE über');
		console.log(await text(page, '#count'), await rows(page));
		await page.fill('#search', 'callbacks');
		console.log(await text(page, '#count'), await rows(page),
			await texts(page, '#list mark'));
		console.log(await text(page, '#views'));
		await page.fill('#search', 'nothing like that');
		console.log(await text(page, '#list'));
		await page.keyboard.press('Escape');
		console.log(await text(page, '#count'));
		await page.click('#tags button:has-text("style")');
		console.log(await text(page, '#count'), await rows(page));
		await page.click('#timeline button[aria-label^="2025-04"]');
		console.log(await text(page, '#count'), await rows(page));
	},

	// All actions by keyboard.
	async keyboard() {
		const page = await open(1280);

		await page.keyboard.press('j');
		console.log('j:', (await text(page, '#detail h2')).replace('\n', ' '));
		await page.keyboard.press('ArrowDown');
		console.log('down:', (await text(page, '#detail h2')).replace('\n', ' '));
		await page.keyboard.press('k');
		console.log('k:', (await text(page, '#detail h2')).replace('\n', ' '));
		await page.keyboard.press('Enter');
		await page.keyboard.press('Escape');
		console.log('back:', (await focused(page)).split('\n')[1]);
		await page.keyboard.press('t');
		console.log('t:', (await focused(page)).split('\n')[0]);
		await page.keyboard.press('Space');
		console.log('tag:', await text(page, '#count'));
		await page.keyboard.press('Escape');
		console.log('all:', await text(page, '#count'));
		for (const key of '2345') {
			await page.keyboard.press(key);
			console.log(key + ':', (await text(page, key === '5' ? '#detail' :
				'#list')).replace(/\s+/g, ' ').slice(0, 67).trim());
		}
		await page.keyboard.press('?');
		console.log('help:', await page.evaluate(() => document.querySelector('#help').open));
		await page.keyboard.press('Escape');
		console.log('help:', await page.evaluate(() => document.querySelector('#help').open));
		await page.keyboard.press('1');
		await page.keyboard.press('/');
		await page.keyboard.type('ute');
		// The action uses the focused element at once: nobody can read it in between.
		console.log('at once:', await page.evaluate(() => {
			document.activeElement.dispatchEvent(
				new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
			return document.activeElement.id + ' ' +
				document.querySelector('#detail h2')?.innerText.replace('\n', ' ');
		}));
		await page.keyboard.press('Escape');
		await page.keyboard.press('Enter');
		console.log('found:', (await text(page, '#detail .text')).split('\n')[0]);
	},

	// On a telephone the panes are stacked, and nothing overflows.
	async narrow() {
		const page = await open(390);
		const sees = what => page.evaluate(selector =>
			document.querySelector(selector).checkVisibility(), what);
		const fits = () => page.evaluate(() =>
			document.documentElement.scrollWidth <= innerWidth);

		console.log(await sees('#list'), await sees('#detail'), await fits());
		await page.click('#list a >> nth=0');
		await page.waitForFunction(() => document.body.classList.contains('opened'));
		console.log(await sees('#list'), await sees('#detail'), await fits());
		await page.click('.back');
		console.log(await sees('#list'), await sees('#detail'), await fits());
		// The list shows its active filters.
		const opened = async () => {
			await page.click('#list a >> nth=1');
			await page.waitForFunction(() => document.body.classList.contains('opened'));
		};
		await opened();
		await page.fill('#search', 'tabs');
		console.log(await sees('#list'), await sees('#detail'), await focused(page));
		await page.fill('#search', '');
		await opened();
		await page.click('.tags button');
		console.log(await sees('#list'), await sees('#detail'), await text(page, '#count'));
		await page.keyboard.press('5');
		console.log(await sees('#list'), await sees('#detail'), await fits());
	},

	// Follow links from one record to another, and back.
	async links() {
		const page = await open(1280, '#project/memories/009-use-tabs-eight-wide.md');
		const about = async () => {
			console.log((await text(page, '#detail h2')).split('\n')[0]);
			console.log((await texts(page, '#detail h3, #detail .links a'))
				.map(line => '  ' + line).join('\n'));
		};

		await about();
		await page.click('.links a >> nth=0');
		await page.waitForFunction(() => /draft/i.test(document.querySelector('#detail h2').innerText));
		await about();
		await page.goBack();
		await page.waitForFunction(() => /Memory 9/.test(document.querySelector('#detail h2').innerText));
		await page.click('.links a:has-text("(replaced memory)")');
		await page.waitForFunction(() => /Replaced/.test(document.querySelector('#detail h2').innerText));
		await about();
		await page.keyboard.press('1');
		await page.fill('#search', 'staging ute');
		await page.keyboard.press('Enter');
		await about();
		console.log((await links(page, '#detail .text a')).join('\n'));
		await page.keyboard.press('Escape');
		await page.keyboard.press('Escape');
		await page.keyboard.press('4');
		await page.keyboard.press('j');
		await about();
	},

	// Opening any record runs, requests and creates nothing.
	async hostile() {
		const page = await open(1280);
		let n = 0;

		await page.evaluate(() => { window.alert = text => console.log('alert: ' + text); });
		for (const view of '1234') {
			await page.keyboard.press(view);
			for (const row of await page.$$('#list a')) {
				await row.click();
				await page.waitForFunction(e => e.getAttribute('aria-current') === 'true', row);
				n++;
			}
		}
		await page.keyboard.press('5');
		console.log(n, 'opened');
		await page.fill('#search', '<img src=x onerror=alert(2)>');
		console.log(await text(page, '#count'));
		await page.fill('#search', '(((((.*)*)*)*)*$');
		await page.fill('#search', '');
		for (const hash of ['#<img src=x onerror=alert(3)>', '#%E0%A4%A', '#constructor', '#detail'])
			await go(page, hash);
		console.log('made of it:', await page.evaluate(() => document.querySelectorAll(
			'img, svg, iframe, object, embed, link, base, form:not(dialog form), ' +
			'video, audio, style ~ style, script ~ script ~ script').length));
		const outward = new Set();
		for (const r of await page.evaluate(() => records.map(r => r.key))) {
			await go(page, '#' + encodeURIComponent(r));
			for (const link of await links(page, '#detail a'))
				if (!link.startsWith('#'))
					outward.add(link);
		}
		console.log([...outward].sort().join('\n'));
	},

	// Ten thousand records are listed at once, and found while typing.
	async many() {
		const page = await open(1280);

		console.log(await text(page, '#count'), (await rows(page)).length <= 400);
		await page.fill('#search', 'quokka');
		console.log(await text(page, '#count'));
		await page.fill('#search', '');
		for (let i = 0; i < 205; i++)
			await page.keyboard.press('ArrowDown');
		console.log((await rows(page)).length > 205);
	},

	// Make pictures to look at, in two widths.
	async pictures() {
		for (const width of [1280, 390]) {
			const page = await open(width);

			await page.screenshot({ path: `${png}/list-${width}.png` });
			await page.click('#list a >> nth=1');
			await page.waitForFunction(() => document.body.classList.contains('opened'));
			await page.screenshot({ path: `${png}/memory-${width}.png` });
			await page.keyboard.press('5');
			await page.screenshot({ path: `${png}/context-${width}.png` });
		}
	},
};

await scenarios[how]();
await browser.close();
