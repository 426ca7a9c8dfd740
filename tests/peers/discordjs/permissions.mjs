// Who may do what where, as discord.js works it out of roles and overwrites.
// It leaves out what one permission takes with it; that is done here.

import assert from 'node:assert/strict';
import { Events, PermissionFlagsBits as Bits, PermissionsBitField }
	from 'discord.js';
import { check, next } from './fake.mjs';

const ROUNDS = 40;
const NAMES = ['ViewChannel', 'SendMessages', 'ManageMessages', 'EmbedLinks',
	'AttachFiles', 'ReadMessageHistory', 'MentionEveryone', 'AddReactions',
	'ManageThreads', 'SendMessagesInThreads'];
const WITH_SENDING = Bits.MentionEveryone | Bits.SendTTSMessages
	| Bits.AttachFiles | Bits.EmbedLinks;

// A small generator, so that a failure can be seen again.
function chance(seed) {
	let state = seed;
	return (n) => {
		state = (Math.imul(state, 1103515245) + 12345) >>> 0;
		return (state >>> 16) % n;
	};
}

// discord.js has other spellings: SendTTSMessages is SEND_TTS_MESSAGES.
const documented = (name) => name.replace(/([a-z])([A-Z])/g, '$1_$2')
	.replace('TTSM', 'TTS_M').toUpperCase();

function expected(channel, member) {
	let bits = channel.permissionsFor(member).bitfield;
	if (!(bits & Bits.ViewChannel))
		return [];
	if (!(bits & Bits.SendMessages))
		bits &= ~WITH_SENDING;
	return new PermissionsBitField(bits).toArray()
		.filter((name) => NAMES.includes(name)).map(documented).sort();
}

export async function permissionChecks(client, discord) {
	const guild = client.guilds.cache.get(discord.guild);
	const channel = guild.channels.cache.find((c) => c.name === 'random');
	const pick = chance(20261130);
	const some = () => NAMES.filter(() => pick(4) === 0).map(documented);
	const targets = [{ role: '@everyone' }, { role: 'keeper' },
		{ member: 'ada' }, { member: 'bob' }, { member: 'eve' }];

	await check('permissions come out as discord.js computes them',
		async () => {
			for (const [user, roles] of [['bob', ['keeper']], ['eve', []]])
				await discord.do({ do: 'member', user, roles });
			const members = [];
			for (const query of ['ada', 'bob', 'eve', 'robot', 'sophia'])
				members.push((await guild.members.search({ query, limit: 1 }))
					.first());
			for (let i = 0; i < ROUNDS; i++) {
				const changed = next(client, Events.ChannelUpdate,
					(_, c) => c.id === channel.id);
				const order = { do: 'overwrite', channel: channel.id,
					...targets[pick(targets.length)],
					allow: some(), deny: some() };
				await discord.do(order);
				await changed;
				for (const member of members) {
					const may = await discord.do({ do: 'may',
						user: member.id, channel: channel.id });
					assert.deepEqual(may.filter((name) => NAMES
						.map(documented).includes(name)).sort(),
					expected(channel, member),
					`${member.user.username} after ${i}: `
						+ JSON.stringify(order));
				}
			}
		});
}
