// Channels and roles that discord.js makes, changes, moves and deletes.

import assert from 'node:assert/strict';
import { ChannelType, Events, PermissionFlagsBits as Bits } from 'discord.js';
import { check, next } from './fake.mjs';

async function refused(promise, status, code) {
	const error = await promise.then(
		() => assert.fail('it was not refused'), (e) => e);
	assert.equal(error.status, status, error);
	assert.equal(error.code, code, error);
}

async function channels(client, guild) {
	let category, made;

	await check('a category and a channel in it are made', async () => {
		category = await guild.channels.create({ name: 'Deck Four',
			type: ChannelType.GuildCategory, permissionOverwrites: [
				{ id: guild.id, deny: [Bits.SendMessages] }] });
		const told = next(client, Events.ChannelCreate,
			(c) => c.name === 'captains-tea');
		made = await guild.channels.create({ name: "Captain's Tea",
			parent: category, topic: 'hot', rateLimitPerUser: 5,
			reason: 'they asked' });
		assert.equal((await told).id, made.id);
		assert.equal(made.parentId, category.id);
		assert.equal(made.permissionsLocked, true);
	});

	await check('a channel is changed, and it is told', async () => {
		const told = next(client, Events.ChannelUpdate,
			(_, c) => c.id === made.id && c.name === 'cold-tea');
		await made.edit({ name: 'cold tea', topic: 'cold', nsfw: true });
		await told;
		assert.equal(made.topic, 'cold');
	});

	await check('a channel moves out of its category, and back in step',
		async () => {
			await made.setParent(null, { lockPermissions: false });
			assert.equal(made.parentId, null);
			await made.permissionOverwrites.edit(guild.id,
				{ AddReactions: false });
			await made.setParent(category, { lockPermissions: true });
			assert.equal(made.permissionsLocked, true);
		});

	await check('channels are put into another order', async () => {
		const told = next(client, Events.ChannelUpdate,
			(_, c) => c.id === made.id && c.rawPosition === 99);
		await guild.channels.setPositions([{ channel: made, position: 99 }]);
		await told;
	});

	await check('a permission is allowed to a role, and forgotten',
		async () => {
			await made.permissionOverwrites.edit(guild.id,
				{ ManageMessages: true });
			const fetched = await made.fetch(true);
			assert.ok(fetched.permissionOverwrites.cache.get(guild.id)
				.allow.has('ManageMessages'));
			await made.permissionOverwrites.delete(guild.id);
			await refused(made.permissionOverwrites.edit(guild.id,
				{ BanMembers: true }), 403, 50013);
		});

	await check('a category goes, and its channels stay', async () => {
		const told = next(client, Events.ChannelUpdate,
			(_, c) => c.id === made.id && c.parentId === null);
		await category.delete();
		await told;
		const gone = next(client, Events.ChannelDelete,
			(c) => c.id === made.id);
		await made.delete();
		await gone;
		await refused(client.rest.get(`/channels/${made.id}`), 404, 10003);
	});
}

async function roles(client, guild) {
	let role;

	await check('a role is made below the bot, and changed', async () => {
		const told = next(client, Events.GuildRoleCreate,
			(r) => r.name === 'tea');
		role = await guild.roles.create({ name: 'tea', permissions: [],
			colors: { primaryColor: 255 }, hoist: true });
		assert.equal((await told).id, role.id);
		assert.ok(guild.members.me.roles.highest.comparePositionTo(role) > 0);
		const changed = next(client, Events.GuildRoleUpdate,
			(_, r) => r.id === role.id && r.mentionable);
		await role.edit({ mentionable: true, permissions: ['SendMessages'] });
		await changed;
		assert.ok(role.editable);
	});

	await check('a role is given and taken', async () => {
		const eve = (await guild.members.search({ query: 'eve', limit: 1 }))
			.first();
		const told = next(client, Events.GuildMemberUpdate,
			(_, m) => m.id === eve.id && m.roles.cache.has(role.id));
		await eve.roles.add(role);
		await told;
		const again = next(client, Events.GuildMemberUpdate,
			(_, m) => m.id === eve.id && !m.roles.cache.has(role.id));
		await eve.roles.remove(role);
		await again;
	});

	await check('nothing is given that the bot lacks, nor its own role',
		async () => {
			await refused(role.setPermissions(['Administrator']), 403, 50013);
			const own = guild.roles.cache.find((r) => r.name === 'Sophia');
			assert.equal(own.editable, false);
			await refused(own.setName('x'), 403, 50013);
		});

	await check('a role is deleted', async () => {
		const gone = next(client, Events.GuildRoleDelete,
			(r) => r.id === role.id);
		await role.delete();
		await gone;
	});
}

export async function placeChecks(client, discord) {
	const guild = client.guilds.cache.get(discord.guild);

	await channels(client, guild);
	await roles(client, guild);
}
