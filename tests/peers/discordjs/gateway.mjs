// The gateway as discord.js sees it: resuming, beginning anew, members,
// compression, shards.

import assert from 'node:assert/strict';
import { CompressionMethod, WebSocketManager, WebSocketShardEvents }
	from '@discordjs/ws';
import { Client, Events, GatewayIntentBits, REST } from 'discord.js';
import { check, next, within } from './fake.mjs';

const spoken = (client, text) => next(client, Events.MessageCreate,
	(m) => m.content === text);

async function sessions(client, discord) {
	const say = (text) => discord.do({ do: 'say', user: 'ada',
		channel: discord.channel, text });

	await check('after a dropped connection the session is resumed, and what '
		+ 'was missed comes', async () => {
		const before = (await discord.state()).count;
		const resumed = next(client, Events.ShardResume);
		const heard = spoken(client, 'while you were away');
		await discord.do({ do: 'drop' });
		await say('while you were away');
		await resumed;
		await heard;
		const after = (await discord.state()).count;
		assert.equal(after.identifies, before.identifies);
	});

	await check('asked to reconnect, it resumes', async () => {
		const resumed = next(client, Events.ShardResume);
		await discord.do({ do: 'op7' });
		await resumed;
		const heard = spoken(client, 'after op 7');
		await say('after op 7');
		await heard;
	});

	await check('an invalid session that can be resumed is resumed',
		async () => {
			const resumed = next(client, Events.ShardResume);
			await discord.do({ do: 'op9', resumable: true });
			await resumed;
		});

	await check('an invalid session begins anew', async () => {
		const before = (await discord.state()).count;
		const ready = next(client, Events.ShardReady);
		await discord.do({ do: 'op9', resumable: false });
		await ready;
		const after = (await discord.state()).count;
		assert.equal(after.identifies, before.identifies + 1);
		const heard = spoken(client, 'after op 9');
		await say('after op 9');
		await heard;
	});

	await check('closed with 4000, it resumes', async () => {
		const resumed = next(client, Events.ShardResume);
		await discord.do({ do: 'close', code: 4000 });
		await resumed;
	});

	for (const code of [4007, 4009]) {
		await check(`closed with ${code}, it identifies`, async () => {
			const ready = next(client, Events.ShardReady);
			await discord.do({ do: 'close', code });
			await ready;
		});
	}

	await check('a heartbeat that is asked for comes', async () => {
		const before = (await discord.state()).count.heartbeats ?? 0;
		await discord.do({ do: 'op1' });
		await within((async () => {
			while (((await discord.state()).count.heartbeats ?? 0) <= before)
				await new Promise((r) => { setTimeout(r, 20); });
		})(), 'a heartbeat');
	});

	await check('unknown opcodes and events do no harm', async () => {
		await discord.do({ do: 'unknown' });
		const heard = spoken(client, 'after the unknown');
		await say('after the unknown');
		await heard;
	});
}

async function members(client, discord) {
	const guild = client.guilds.cache.get(discord.guild);

	await check('all members come in chunks', async () => {
		const all = await guild.members.fetch();
		assert.equal(all.size, guild.memberCount);
		assert.ok(all.has(discord.bot));
	});

	await check('members are found by the beginning of their names',
		async () => {
			const some = await guild.members.fetch(
				{ query: 'sailor1', limit: 100 });
			assert.equal(some.size, 11);
		});

	await check('members are listed by REST, page by page', async () => {
		const first = await guild.members.list({ limit: 40 });
		const rest = await guild.members.list(
			{ limit: 40, after: [...first.keys()].at(-1) });
		assert.equal(first.size, 40);
		assert.equal(first.size + rest.size, guild.memberCount);
	});
}

async function zlib(discord) {
	const rest = new REST({ api: discord.base }).setToken(discord.token);
	await check('zlib-stream is one stream from HELLO on', async () => {
		await discord.do({ do: 'time', advance_s: 6 }); // to identify again
		const manager = new WebSocketManager({
			token: discord.token, rest, compression:
				CompressionMethod.ZlibNative,
			intents: GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages
				| GatewayIntentBits.MessageContent,
		});
		const ready = next(manager, WebSocketShardEvents.Ready);
		const guild = next(manager, WebSocketShardEvents.Dispatch,
			(p) => p.t === 'GUILD_CREATE');
		await manager.connect();
		await ready;
		assert.equal((await guild).d.id, discord.guild);
		for (const text of ['squeezed é 🌊', 'x'.repeat(2000), 'once more']) {
			const heard = next(manager, WebSocketShardEvents.Dispatch,
				(p) => p.t === 'MESSAGE_CREATE' && p.d.content === text);
			await discord.do({ do: 'say', user: 'ada',
				channel: discord.channel, text });
			await heard;
		}
		await manager.destroy();
	});
}

async function shards(discord) {
	await check('a guild is told to the shard it belongs to', async () => {
		await discord.do({ do: 'time', advance_s: 6 });
		const client = new Client({ intents: [GatewayIntentBits.Guilds],
			rest: { api: discord.base }, shards: [0, 1], shardCount: 2 });
		const ready = next(client, Events.ClientReady);
		await client.login(discord.token);
		await ready;
		for (const guild of client.guilds.cache.values())
			assert.equal(BigInt(guild.shardId),
				(BigInt(guild.id) >> 22n) % 2n);
		assert.ok(client.guilds.cache.has(discord.guild));
		await client.destroy();
	});
}

export async function gatewayChecks(client, discord) {
	await members(client, discord);
	await sessions(client, discord);
	await client.destroy(); // one live connection a shard
	await zlib(discord);
	await shards(discord);
}
