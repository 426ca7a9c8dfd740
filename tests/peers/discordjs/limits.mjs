// Rate limits as a client meets them: discord.js believes the headers.

import assert from 'node:assert/strict';
import { RESTEvents } from 'discord.js';
import { check, next } from './fake.mjs';

export async function limitChecks(client, discord) {
	const guild = client.guilds.cache.get(discord.guild);
	const general = guild.channels.cache.get(discord.channel);
	const tell = (what, more) => discord.do(
		{ do: 'rest', what, route: 'POST /channels', ...more });

	await check('a burst is waited out by the headers alone', async () => {
		const before = await discord.state();
		const limited = next(client.rest, RESTEvents.RateLimited);
		const texts = Array.from({ length: 12 }, (_, i) => `burst ${i}`);
		const sent = await Promise.all(texts.map((t) => general.send(t)));
		await limited;
		const ids = sent.map((m) => BigInt(m.id));
		assert.ok(ids.every((id, i) => i === 0 || id > ids[i - 1]),
			'in the order of asking');
		const after = await discord.state();
		assert.equal(after.statuses['429'] ?? 0, before.statuses['429'] ?? 0);
	});

	for (const scope of ['user', 'shared', 'global']) {
		await check(`a 429 of scope ${scope} is tried again`, async () => {
			await tell('limited', { scope, retry_after: 0.5 });
			const message = await general.send(`after ${scope}`);
			const { sent } = await discord.state();
			assert.equal(sent.filter((s) => s.id === message.id).length, 1);
			assert.equal(sent.filter((s) =>
				s.content === `after ${scope}`).length, 1);
		});
	}

	await check('a 502 is tried again', async () => {
		await tell('status', { status: 502 });
		await general.send('after 502');
	});

	await check('a 429 from the edge, in HTML, is tried again', async () => {
		await tell('html429', { retry_after: 1 });
		await general.send('after the edge');
	});
}
