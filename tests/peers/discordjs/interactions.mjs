// Commands and what comes of them: registering, slash commands, autocomplete,
// buttons, selects and modals, seen and heard answers.

import assert from 'node:assert/strict';
import { ActionRowBuilder, ButtonBuilder, ButtonStyle, Events, MessageFlags,
	ModalBuilder, SlashCommandBuilder, StringSelectMenuBuilder,
	TextInputBuilder, TextInputStyle } from 'discord.js';
import { check, next } from './fake.mjs';

const TALK = new SlashCommandBuilder().setName('talk')
	.setDescription('Talk to me')
	.addStringOption((o) => o.setName('message').setDescription('What to say')
		.setRequired(true))
	.addBooleanOption((o) => o.setName('ephemeral')
		.setDescription('For your eyes only'))
	.addStringOption((o) => o.setName('task').setDescription('Which task')
		.setAutocomplete(true));

async function commands(client, discord) {
	await check('commands are registered, listed and changed', async () => {
		const made = await client.application.commands.set([TALK.toJSON(),
			{ name: 'ping', description: 'Are you there?' }]);
		assert.deepEqual(made.map((c) => c.name).sort(), ['ping', 'talk']);
		const listed = await client.application.commands.fetch();
		assert.deepEqual([...listed.keys()].sort(),
			[...made.keys()].sort());
		const ping = listed.find((c) => c.name === 'ping');
		await ping.edit({ description: 'Still there?' });
		const again = await client.application.commands.fetch(ping.id);
		assert.equal(again.description, 'Still there?');
		assert.equal(again.options.length, 0);
		await ping.delete();
		assert.equal((await client.application.commands.fetch()).size, 1);
	});

	await check('a guild has commands of its own', async () => {
		const guild = client.guilds.cache.get(discord.guild);
		await guild.commands.set([{ name: 'here', description: 'Here' }]);
		const listed = await guild.commands.fetch();
		assert.deepEqual(listed.map((c) => c.name), ['here']);
		await guild.commands.set([]);
	});

	await check('a bad command is refused', async () => {
		await assert.rejects(client.application.commands.create(
			{ name: 'Two Words', description: 'x' }), { code: 50035 });
	});
}

// Have a person do something, and wait for the interaction it makes.
async function done(client, discord, order, test = () => true) {
	const event = next(client, Events.InteractionCreate, test);
	const answer = await discord.do({ user: 'ada', channel: discord.channel,
		...order });
	return [await event, answer];
}

async function slash(client, discord) {
	const talk = (message, more) => done(client, discord, { do: 'command',
		name: 'talk', options: { message, ...more } });

	await check('a slash command arrives with its options', async () => {
		const [command] = await talk('hello', { ephemeral: true });
		assert.ok(command.isChatInputCommand());
		assert.equal(command.commandName, 'talk');
		assert.equal(command.options.getString('message'), 'hello');
		assert.equal(command.options.getBoolean('ephemeral'), true);
		assert.equal(command.guildId, discord.guild);
		assert.ok(command.memberPermissions.has('SendMessages'));
		const { resource } = await command.reply({ content: 'a secret',
			flags: MessageFlags.Ephemeral, withResponse: true });
		assert.ok(resource.message.flags.has(MessageFlags.Ephemeral));
		const general = client.channels.cache.get(discord.channel);
		const page = await general.messages.fetch({ limit: 5, cache: false });
		assert.ok(!page.some((m) => m.content === 'a secret'));
	});

	await check('deferred, edited, followed up and deleted', async () => {
		const [command] = await talk('think');
		await command.deferReply();
		const edited = await command.editReply('thought');
		assert.equal(edited.content, 'thought');
		const more = await command.followUp({ content: 'and more' });
		assert.equal((await command.fetchReply()).id, edited.id);
		await command.editReply({ message: more.id, content: 'still more' });
		await command.deleteReply(more.id);
		const general = client.channels.cache.get(discord.channel);
		const page = await general.messages.fetch({ limit: 5, cache: false });
		assert.ok(page.some((m) => m.id === edited.id
			&& m.content === 'thought'));
		assert.ok(!page.some((m) => m.id === more.id));
	});

	await check('a second first answer is refused', async () => {
		const [command] = await talk('twice');
		await command.reply('once');
		const path = `/interactions/${command.id}/${command.token}/callback`;
		await assert.rejects(client.rest.post(path, { auth: false,
			body: { type: 4, data: { content: 'twice' } } }),
		{ status: 400, code: 40060 });
	});

	await check('choices are offered while a person types', async () => {
		const [typed] = await done(client, discord, { do: 'autocomplete',
			name: 'talk', options: { message: 'x', task: 'ab' },
			focused: 'task' });
		assert.ok(typed.isAutocomplete());
		assert.deepEqual(typed.options.getFocused(true),
			{ name: 'task', value: 'ab', type: 3, focused: true });
		await typed.respond([{ name: 'About ships', value: '1' }]);
		const { interactions } = await discord.state();
		const last = interactions.at(-1);
		assert.equal(last.id, typed.id);
	});
}

async function components(client, discord) {
	const general = client.channels.cache.get(discord.channel);
	const row = new ActionRowBuilder().addComponents(
		new ButtonBuilder().setCustomId('stop').setLabel('Stop')
			.setStyle(ButtonStyle.Danger));
	const choice = new ActionRowBuilder().addComponents(
		new StringSelectMenuBuilder().setCustomId('which').addOptions(
			{ label: 'One', value: '1' }, { label: 'Two', value: '2' }));
	let message;

	await check('a button is pressed, and its message changed', async () => {
		message = await general.send({ content: 'press',
			components: [row, choice] });
		const [press] = await done(client, discord, { do: 'press',
			message: message.id, custom_id: 'stop' });
		assert.ok(press.isButton());
		assert.equal(press.message.id, message.id);
		await press.update({ content: 'pressed', components: [row, choice] });
		const now = await general.messages.fetch(
			{ message: message.id, force: true });
		assert.equal(now.content, 'pressed');
	});

	await check('an update may be deferred', async () => {
		const [press] = await done(client, discord, { do: 'press',
			message: message.id, custom_id: 'stop' });
		await press.deferUpdate();
		await press.editReply({ content: 'later' });
		const now = await general.messages.fetch(
			{ message: message.id, force: true });
		assert.equal(now.content, 'later');
	});

	await check('what is selected arrives', async () => {
		const [select] = await done(client, discord, { do: 'select',
			message: message.id, custom_id: 'which', values: ['2'] });
		assert.ok(select.isStringSelectMenu());
		assert.deepEqual(select.values, ['2']);
		await select.reply('two');
	});

	await check('a modal is shown, and what is written in it arrives',
		async () => {
			const [press] = await done(client, discord, { do: 'press',
				message: message.id, custom_id: 'stop' });
			const modal = new ModalBuilder().setCustomId('why')
				.setTitle('Why?').addComponents(
					new ActionRowBuilder().addComponents(
						new TextInputBuilder().setCustomId('reason')
							.setLabel('Reason')
							.setStyle(TextInputStyle.Short)));
			await press.showModal(modal);
			const [submit] = await done(client, discord, { do: 'submit',
				interaction: press.id, values: { reason: 'too long' } });
			assert.ok(submit.isModalSubmit());
			assert.equal(submit.customId, 'why');
			assert.equal(submit.fields.getTextInputValue('reason'),
				'too long');
			await submit.reply({ content: 'I see',
				flags: MessageFlags.Ephemeral });
		});
}

export async function interactionChecks(client, discord) {
	await commands(client, discord);
	await slash(client, discord);
	await components(client, discord);
}
