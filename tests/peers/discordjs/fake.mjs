// The fake Discord as a child of this process, and TAP for what is found.
//
//   const discord = await start({world, arguments})   its announcement, and
//       do(order)      POST /control: an act of a person, or a fault
//       state()        GET /control/state
//       end()          closes its stdin, and waits until it has gone
//   await check('a sentence', async () => { ... throw if it is not so ... })
//   ended()            prints the plan; the exit code for the whole

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const CHECK_MS = 40_000;
const EVENT_MS = 15_000;
const folder = process.env.SOPHIA_FAKE ?? 'tests/peers/discord';
let count = 0;
let failed = 0;

export async function start({ world, options = [] } = {}) {
	const scratch = mkdtempSync(join(tmpdir(), 'sophia-peers.'));
	const args = ['-B', folder, ...options];
	if (world) {
		const file = join(scratch, 'world.json');
		writeFileSync(file, JSON.stringify(world));
		args.push('--world', file);
	}
	const child = spawn('/usr/bin/python3', args,
		{ stdio: ['pipe', 'pipe', 'inherit'] });
	const lines = createInterface({ input: child.stdout });
	const [first] = await Promise.race([
		once(lines, 'line'),
		once(child, 'exit').then(([code]) => {
			throw new Error(`the fake Discord ended with ${code}`);
		}),
	]);
	const said = JSON.parse(first);
	const ask = async (path, body) => {
		const answer = await fetch(said.control + path, body && {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(body),
		});
		const text = await answer.text();
		assert.ok(answer.ok, `control ${path}: ${answer.status} ${text}`);
		return text ? JSON.parse(text) : null;
	};
	return {
		...said,
		base: said.api.replace(/\/v10$/, ''),
		do: (order) => ask('', order),
		state: () => ask('/state'),
		log: () => ask('/log'),
		async end() {
			const gone = once(child, 'exit');
			child.stdin.end();
			await gone;
			rmSync(scratch, { recursive: true });
		},
	};
}

export function within(promise, what, ms = CHECK_MS) {
	let timer;
	return Promise.race([
		promise,
		new Promise((_, reject) => {
			timer = setTimeout(
				() => reject(new Error(`${what}: not in ${ms} ms`)), ms);
		}),
	]).finally(() => clearTimeout(timer));
}

// The next event of that name for which test(...arguments) holds.
export function next(emitter, name, test = () => true) {
	let listener;
	const event = within(new Promise((resolve) => {
		listener = (...args) => {
			if (test(...args))
				resolve(args[0]);
		};
		emitter.on(name, listener);
	}), `event ${name}`, EVENT_MS).finally(() => emitter.off(name, listener));
	event.catch(() => {}); // it may not be awaited any more
	return event;
}

export async function check(name, run) {
	count++;
	try {
		await within(run(), name);
		console.log(`ok ${count} ${name}`);
	} catch (error) {
		failed++;
		console.log(`not ok ${count} ${name}`);
		const text = error.rawError
			? `${error.stack}\n${JSON.stringify(error.rawError)}`
			: String(error.stack ?? error);
		console.log(text.replace(/^/gm, '# '));
	}
}

export function ended() {
	console.log(`1..${count}`);
	return failed ? 1 : 0;
}
