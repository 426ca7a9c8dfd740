// The world of these checks: the default one, with a bot that may do more,
// more people, and a channel with a history longer than two pages.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.SOPHIA_FAKE ?? 'tests/peers/discord';
export const HISTORY = 250;

export function makeWorld() {
	const world = JSON.parse(readFileSync(join(folder, 'world.json')));
	const [guild] = world.guilds;
	const role = guild.roles.find((r) => r.name === 'Sophia');
	role.permissions.push('MANAGE_MESSAGES', 'PIN_MESSAGES', 'MANAGE_ROLES',
		'MANAGE_CHANNELS', 'CREATE_PRIVATE_THREADS', 'SEND_POLLS');
	for (let i = 0; i < 60; i++) {
		world.users.push({ username: `sailor${i}` });
		guild.members.push({ user: `sailor${i}` });
	}
	guild.channels.push({ name: 'logbook', type: 0 },
		{ name: 'mute', type: 0, overwrites: [
			{ role: 'Sophia', deny: ['SEND_MESSAGES'] }] },
		{ name: 'deaf', type: 0, overwrites: [
			{ role: 'Sophia', deny: ['READ_MESSAGE_HISTORY'] }] });
	for (let i = 0; i < HISTORY; i++)
		world.messages.push({ channel: 'logbook', author: 'ada',
			content: `entry ${i}` });
	world.messages.push({ channel: 'deaf', author: 'ada', content: 'psst' });
	return world;
}
