// A plain discord.js client, to be measured from outside beside sophia-gateway.
//
//   node bench.mjs API TOKEN [MARKER]
//
// Connects with the intents that Sophia uses, and prints a JSON object a line:
//   {"ready_ms"}     from the start of the process to READY
//   {"guilds_ms"}    ... and until every guild has arrived
//   {"events", "seconds", "per_second"}
//                    whenever a message with the text MARKER comes: dispatches
//                    since the last line, from the first of them to this one
// Then it stays connected until its stdin ends. A self-signed certificate is
// accepted if NODE_EXTRA_CA_CERTS names it.

import { Client, Events, GatewayDispatchEvents, GatewayIntentBits, Options }
	from 'discord.js';

const [api, token, marker] = process.argv.slice(2);
if (!token) {
	console.error('usage: node bench.mjs API TOKEN [MARKER]');
	process.exit(2);
}
const say = (record) => console.log(JSON.stringify(record));
const since = () => Math.round(performance.now() * 10) / 10;

const client = new Client({
	intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages,
		GatewayIntentBits.DirectMessages, GatewayIntentBits.MessageContent],
	makeCache: Options.cacheWithLimits(Options.DefaultMakeCacheSettings),
	rest: { api: api.replace(/\/v\d+$/, '') },
});

let events = 0;
let first = 0;
client.on(Events.Raw, (packet) => {
	if (packet.t === GatewayDispatchEvents.Ready)
		say({ ready_ms: since() });
	if (!events++)
		first = performance.now();
});
client.once(Events.ClientReady, () => {
	say({ guilds_ms: since() });
	events = 0;
});
client.on(Events.MessageCreate, (message) => {
	if (!marker || message.content !== marker)
		return;
	const seconds = (performance.now() - first) / 1000;
	say({ events, seconds: Number(seconds.toFixed(4)),
		per_second: Math.round(events / seconds) });
	events = 0;
});
client.on(Events.Error, (error) => {
	console.error(`discord.js: ${error.message}`);
	process.exitCode = 1;
});
process.stdin.resume().on('end', async () => {
	await client.destroy();
	process.exit();
});
await client.login(token);
