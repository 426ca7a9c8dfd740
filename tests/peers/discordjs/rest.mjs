// What discord.js does by REST: messages, history, threads, files, refusals.

import assert from 'node:assert/strict';
import { AttachmentBuilder, ChannelType, ContainerBuilder, Events,
	MessageFlags, SectionBuilder, TextDisplayBuilder,
	ThreadAutoArchiveDuration } from 'discord.js';
import { check, next } from './fake.mjs';
import { HISTORY } from './world.mjs';

const named = (guild, name) =>
	guild.channels.cache.find((c) => c.name === name);

async function refused(promise, status, code) {
	const error = await promise.then(
		() => assert.fail('it was not refused'), (e) => e);
	assert.equal(error.status, status, error);
	assert.equal(error.code, code, error);
	return error.rawError;
}

async function messages(client, discord, guild) {
	const general = named(guild, 'general');
	let sent;

	await check('a message is sent, and comes back as an event', async () => {
		const event = next(client, Events.MessageCreate,
			(m) => m.content === 'hello <@1> @everyone');
		sent = await general.send({ content: 'hello <@1> @everyone',
			nonce: '12345', enforceNonce: true,
			allowedMentions: { parse: [] } });
		assert.equal(sent.content, 'hello <@1> @everyone');
		assert.equal(sent.author.id, discord.bot);
		const told = await event;
		assert.equal(told.id, sent.id);
		assert.equal(told.nonce, '12345');
		assert.equal(told.mentions.everyone, false);
		assert.equal(told.guildId, guild.id);
	});

	await check('the same nonce makes no second message', async () => {
		const again = await general.send({ content: 'again', nonce: '12345',
			enforceNonce: true });
		assert.equal(again.id, sent.id);
		const { count, doubled } = await discord.state();
		assert.equal(count.nonce_repeats, 1);
		assert.deepEqual(doubled, []);
	});

	await check('an edit shows, and has a time', async () => {
		const event = next(client, Events.MessageUpdate,
			(_, m) => m.id === sent.id);
		const edited = await sent.edit('changed');
		await event;
		assert.equal(edited.content, 'changed');
		assert.ok(edited.editedTimestamp >= sent.createdTimestamp);
		const fetched = await general.messages.fetch(
			{ message: sent.id, force: true });
		assert.equal(fetched.content, 'changed');
	});

	await check('a reply refers to what it answers', async () => {
		const reply = await sent.reply('indeed');
		assert.equal(reply.reference.messageId, sent.id);
		const first = await reply.fetchReference();
		assert.equal(first.id, sent.id);
		const raw = await client.rest.get(
			`/channels/${general.id}/messages/${reply.id}`);
		assert.equal(raw.type, 19);
		assert.equal(raw.referenced_message.id, sent.id);
	});

	await check('what is deleted is gone', async () => {
		const event = next(client, Events.MessageDelete,
			(m) => m.id === sent.id);
		await sent.delete();
		await event;
		await refused(general.messages.fetch({ message: sent.id,
			force: true }), 404, 10008);
	});

	await check('embeds come back as they were sent', async () => {
		const embed = { title: 'Tide', description: 'high', color: 255,
			fields: [{ name: 'at', value: 'noon', inline: true }],
			footer: { text: 'harbour' }, url: 'https://example.org/' };
		const { embeds } = await general.send({ embeds: [embed] });
		assert.equal(embeds[0].title, 'Tide');
		assert.equal(embeds[0].fields[0].value, 'noon');
		assert.equal(embeds[0].footer.text, 'harbour');
	});

	await check('components of the new kind come back', async () => {
		const container = new ContainerBuilder()
			.addTextDisplayComponents(new TextDisplayBuilder()
				.setContent('# Tide'))
			.addSectionComponents(new SectionBuilder()
				.addTextDisplayComponents(new TextDisplayBuilder()
					.setContent('high'))
				.setButtonAccessory((b) => b.setLabel('More')
					.setCustomId('more').setStyle(1)));
		const made = await general.send({ components: [container],
			flags: MessageFlags.IsComponentsV2 });
		assert.ok(made.flags.has(MessageFlags.IsComponentsV2));
		assert.equal(made.components[0].components[0].content, '# Tide');
		assert.equal(made.components[0].components[1].accessory.customId,
			'more');
	});

	await check('a poll can be asked, and its voters listed', async () => {
		const asked = await general.send({ poll: {
			question: { text: 'Sail?' }, duration: 1, allowMultiselect: false,
			answers: [{ text: 'yes' }, { text: 'no' }] } });
		assert.equal(asked.poll.question.text, 'Sail?');
		assert.equal(asked.poll.answers.size, 2);
		const voters = await asked.poll.answers.get(1).voters.fetch();
		assert.equal(voters.size, 0);
		const over = await asked.poll.end();
		assert.equal(over.id, asked.id);
	});

	await check('a reaction is seen, listed and taken back', async () => {
		const message = await general.send('react');
		const event = next(client, Events.MessageReactionAdd,
			(r) => r.message.id === message.id);
		const reaction = await message.react('👍');
		await event;
		const users = await reaction.users.fetch();
		assert.deepEqual([...users.keys()], [discord.bot]);
		const gone = next(client, Events.MessageReactionRemove,
			(r) => r.message.id === message.id);
		await reaction.users.remove(discord.bot);
		await gone;
		const raw = await client.rest.get(
			`/channels/${general.id}/messages/${message.id}`);
		assert.deepEqual(raw.reactions ?? [], []);
	});

	await check('a pin is listed, newest first', async () => {
		const a = await general.send('pin a');
		const b = await general.send('pin b');
		await a.pin();
		await b.pin();
		const pins = await general.messages.fetchPins();
		assert.deepEqual(pins.items.map((p) => p.message.content).slice(0, 2),
			['pin b', 'pin a']);
		await a.unpin();
		assert.equal((await general.messages.fetchPins()).items.length,
			pins.items.length - 1);
	});

	await check('files are sent, and can be fetched again', async () => {
		const bytes = Buffer.from('a tide table\n'.repeat(100));
		const message = await general.send({ content: 'see',
			files: [new AttachmentBuilder(bytes, { name: 'tide.txt',
				description: 'when to sail' })] });
		const file = message.attachments.first();
		assert.equal(file.name, 'tide.txt');
		assert.equal(file.description, 'when to sail');
		assert.equal(file.size, bytes.length);
		const answer = await fetch(file.url);
		assert.equal(answer.status, 200);
		assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
		const spoilt = new URL(file.url);
		spoilt.searchParams.set('hm', '0'.repeat(64));
		assert.ok((await fetch(spoilt)).status >= 400);
	});

	await check('typing is let through', async () => {
		await general.sendTyping();
	});

	await check('a direct message goes both ways', async () => {
		const ada = (await guild.members.fetch({ query: 'ada', limit: 1 }))
			.first().user;
		const dm = await ada.createDM();
		assert.equal(dm.recipientId, ada.id);
		const event = next(client, Events.MessageCreate,
			(m) => m.channelId === dm.id);
		await ada.send('between us');
		assert.equal((await event).guildId, null);
	});
}

async function history(client, guild) {
	const logbook = named(guild, 'logbook');

	await check('history is read page by page, newest first', async () => {
		const contents = [];
		let before;
		for (;;) {
			const page = await logbook.messages.fetch(
				{ limit: 100, before, cache: false });
			const list = [...page.values()];
			assert.ok(list.every((m, i) => i === 0
				|| BigInt(m.id) < BigInt(list[i - 1].id)), 'newest first');
			contents.push(...list.map((m) => m.content));
			if (page.size < 100)
				break;
			before = list.at(-1).id;
		}
		assert.deepEqual(contents, Array.from({ length: HISTORY },
			(_, i) => `entry ${HISTORY - 1 - i}`));
	});

	await check('after and around find their places', async () => {
		const all = await logbook.messages.fetch({ limit: 100 });
		const ids = [...all.keys()];
		const after = await logbook.messages.fetch(
			{ limit: 3, after: ids[10] });
		assert.deepEqual([...after.keys()], ids.slice(7, 10));
		const around = await logbook.messages.fetch(
			{ limit: 5, around: ids[10] });
		assert.deepEqual([...around.keys()], ids.slice(8, 13));
		const some = await logbook.messages.fetch({});
		assert.equal(some.size, 50);
	});

	await check('many messages are deleted at once', async () => {
		const page = await logbook.messages.fetch({ limit: 5 });
		const event = next(client, Events.MessageBulkDelete,
			(gone) => gone.size === 5);
		await logbook.bulkDelete(page);
		await event;
		const left = await logbook.messages.fetch({ limit: 1, cache: false });
		assert.equal(left.first().content, `entry ${HISTORY - 6}`);
	});

	await check('without READ_MESSAGE_HISTORY the page is empty', async () => {
		const page = await named(guild, 'deaf').messages.fetch();
		assert.equal(page.size, 0);
	});
}

async function threads(client, discord, guild) {
	const general = named(guild, 'general');
	let thread;

	await check('a thread is started, listed and written to', async () => {
		const event = next(client, Events.ThreadCreate,
			(t) => t.name === 'repairs');
		thread = await general.threads.create({ name: 'repairs',
			type: ChannelType.PublicThread,
			autoArchiveDuration: ThreadAutoArchiveDuration.OneHour });
		assert.equal((await event).id, thread.id);
		assert.equal(thread.ownerId, discord.bot);
		await thread.send('the crane');
		const active = await guild.channels.fetchActiveThreads();
		assert.ok(active.threads.has(thread.id));
		const members = await thread.members.fetch();
		assert.ok(members.has(discord.bot));
	});

	await check('a thread on a message has the id of that message',
		async () => {
			const message = await general.send('discuss');
			const made = await message.startThread({ name: 'discussion' });
			assert.equal(made.id, message.id);
			const starter = await made.fetchStarterMessage();
			assert.equal(starter.id, message.id);
		});

	await check('an archived thread is listed, and a message wakes it',
		async () => {
			await thread.setArchived(true);
			const archived = await general.threads.fetchArchived();
			assert.ok(archived.threads.has(thread.id));
			const active = await guild.channels.fetchActiveThreads(false);
			assert.ok(!active.threads.has(thread.id));
			const event = next(client, Events.ThreadUpdate,
				(_, t) => t.id === thread.id && !t.archived);
			await thread.send('once more');
			await event;
		});

	await check('archived threads are paged by the time of archiving',
		async () => {
			const made = [];
			for (let i = 0; i < 5; i++) {
				const t = await general.threads.create({ name: `old ${i}` });
				await t.setArchived(true);
				made.push(t.id);
			}
			const first = await general.threads.fetchArchived({ limit: 3 });
			assert.equal(first.hasMore, true);
			const list = [...first.threads.values()];
			const rest = await general.threads.fetchArchived(
				{ limit: 50, before: list.at(-1).archivedAt });
			const ids = list.concat([...rest.threads.values()])
				.map((t) => t.id);
			assert.deepEqual(ids.slice(0, 5), made.reverse());
			assert.equal(new Set(ids).size, ids.length);
			assert.equal(rest.hasMore, false);
		});

	await check('a private thread, members, and leaving', async () => {
		const secret = await general.threads.create({ name: 'private',
			type: ChannelType.PrivateThread, invitable: false });
		const ada = client.users.cache.find((u) => u.username === 'ada');
		await secret.members.add(ada.id);
		assert.ok((await secret.members.fetch()).has(ada.id));
		await secret.members.remove(ada.id);
		await secret.setArchived(true);
		const archived = await general.threads.fetchArchived(
			{ type: 'private', fetchAll: true });
		assert.ok(archived.threads.has(secret.id));
		await secret.setArchived(false);
		await secret.leave();
	});

	await check('a post in a forum is a thread with its first message',
		async () => {
			const forum = named(guild, 'ideas');
			const post = await forum.threads.create({ name: 'a lighthouse',
				message: { content: 'by the pier' },
				appliedTags: [forum.availableTags[0].id] });
			const first = await post.fetchStarterMessage();
			assert.equal(first.content, 'by the pier');
			assert.equal(first.id, post.id);
			assert.deepEqual(post.appliedTags, [forum.availableTags[0].id]);
		});
}

async function refusals(client, discord, guild) {
	const general = named(guild, 'general');

	await check('too long a message is refused, and where is told',
		async () => {
			const raw = await refused(general.send('x'.repeat(2001)), 400,
				50035);
			assert.equal(raw.errors.content._errors[0].code,
				'BASE_TYPE_MAX_LENGTH');
		});

	await check('an empty message is refused', async () => {
		await refused(general.send({ content: ' ' }), 400, 50006);
	});

	await check('what is not there is 404, what is hidden 403', async () => {
		await refused(client.channels.fetch('1', { force: true }), 404, 10003);
		const secret = named(guild, 'secret')
			?? { id: '1200000000000000404' };
		await refused(client.rest.get(`/channels/${secret.id}/messages`), 403,
			50001);
	});

	await check('without SEND_MESSAGES nothing is sent', async () => {
		await refused(named(guild, 'mute').send('psst'), 403, 50013);
	});

	await check('only one\'s own messages can be edited', async () => {
		const page = await named(guild, 'logbook').messages.fetch({ limit: 1 });
		await refused(client.rest.patch(`/channels/${page.first().channelId}`
			+ `/messages/${page.first().id}`, { body: { content: 'x' } }),
		403, 50005);
	});
}

export async function restChecks(client, discord) {
	const guild = client.guilds.cache.get(discord.guild);
	await messages(client, discord, guild);
	await history(client, guild);
	await threads(client, discord, guild);
	await refusals(client, discord, guild);
}
