// discord.js 14 against the fake Discord: what an independent client expects
// of Discord, the fake has to do. Prints TAP; the exit code is 1 if anything
// is not so. tests/check-peers installs the client and runs this.

import assert from 'node:assert/strict';
import { Client, Events, GatewayIntentBits, Partials } from 'discord.js';
import { check, ended, next, start } from './fake.mjs';
import { gatewayChecks } from './gateway.mjs';
import { interactionChecks } from './interactions.mjs';
import { limitChecks } from './limits.mjs';
import { permissionChecks } from './permissions.mjs';
import { placeChecks } from './places.mjs';
import { restChecks } from './rest.mjs';
import { makeWorld } from './world.mjs';

const TOTAL_MS = 280_000;
// discord.js answers op 9 on the spot, though it is told to reconnect first
const ITS_OWN = ['resumed without reconnecting'];
// fields that discord.js sends where Discord has none, and passes over them
const MORE = {
	'body.tts: no such field': /^PATCH .*\/messages\//,
	'body.enforce_nonce: no such field':
		/^PATCH .*\/messages\/|^POST \/webhooks\//,
	'body.data.tts: no such field': /\/callback$/,
	'body.data.enforce_nonce: no such field': /\/callback$/,
	'body.lock_permissions: no such field': /^PATCH \/channels\/[^/]*$/,
	'body.id: no such field': /^PUT .*\/permissions\//,
	'body.message.tts: no such field': /^POST .*\/threads$/,
	'body.message.enforce_nonce: no such field': /^POST .*\/threads$/,
	'body.type: no such field': /^POST .*\/messages\/[^/]*\/threads$/,
};

const overdue = setTimeout(() => {
	console.log(`Bail out! not done after ${TOTAL_MS} ms`);
	process.exit(1);
}, TOTAL_MS);

const discord = await start({ world: makeWorld() });
await discord.do({ do: 'judge', answers: true });
const client = new Client({
	intents: Object.values(GatewayIntentBits)
		.filter((bit) => typeof bit === 'number'),
	partials: [Partials.Channel, Partials.Message, Partials.Reaction],
	rest: { api: discord.base },
	failIfNotExists: false,
});
client.on(Events.Error, (error) => console.log(`# error: ${error}`));
client.on(Events.Warn, (text) => console.log(`# warning: ${text}`));
if (process.env.DEBUG)
	client.on(Events.Debug, (text) => console.log(`# ${text}`));

await check('login, READY and the guild', async () => {
	const ready = next(client, Events.ClientReady);
	await client.login(discord.token);
	await ready;
	assert.equal(client.user.id, discord.bot);
	assert.equal(client.application.id, discord.application);
	const guild = client.guilds.cache.get(discord.guild);
	assert.ok(guild.available);
	assert.equal(guild.channels.cache.get(discord.channel).name, 'general');
});

await check('channels and roles are the same by REST and by gateway',
	async () => {
		const guild = client.guilds.cache.get(discord.guild);
		const known = [...guild.channels.cache.filter((c) => !c.isThread())
			.keys()].sort();
		const fetched = await guild.channels.fetch();
		assert.deepEqual([...fetched.keys()].sort(), known);
		const roles = [...guild.roles.cache.keys()].sort();
		assert.deepEqual([...(await guild.roles.fetch()).keys()].sort(),
			roles);
		assert.ok(guild.members.me.permissions.has('ManageMessages'));
		const { shards, sessionStartLimit } =
			await client.rest.get('/gateway/bot').then((g) => ({
				shards: g.shards, sessionStartLimit: g.session_start_limit }));
		assert.equal(shards, 1);
		assert.equal(sessionStartLimit.total, 1000);
	});

await check('a wrong token is refused', async () => {
	const other = new Client({ intents: [], rest: { api: discord.base } });
	await assert.rejects(other.login('not.a.token'), /token/i);
	await other.destroy();
});

await restChecks(client, discord);
await interactionChecks(client, discord);
await placeChecks(client, discord);
await permissionChecks(client, discord);
await limitChecks(client, discord);
await gatewayChecks(client, discord);

await check('nothing it did breaks the protocol or the OpenAPI file',
	async () => {
		const state = await discord.state();
		assert.deepEqual(state.violations.filter(
			(v) => !ITS_OWN.includes(v.what)), []);
		const wrong = state.problems.requests.map((p) => ({ ...p,
			wrong: p.wrong.filter((w) => !MORE[w]?.test(p.route)) }));
		assert.deepEqual(wrong.filter((p) => p.wrong.length), []);
	});

await check('nor did the fake answer other than the OpenAPI file says',
	async () => {
		const { problems } = await discord.state();
		assert.deepEqual(problems.answers, []);
	});

await discord.end();
clearTimeout(overdue);
process.exit(ended());
