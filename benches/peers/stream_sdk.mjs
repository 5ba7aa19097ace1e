// Times the official TypeScript SDK on the bytes of a streamed answer.
//
// usage: node stream_sdk.mjs FILE CUT ROUNDS [values]
//
// The SDK's own client reads FILE from a `fetch` that hands it out in pieces: CUT is `events` (one event each) or a
// number of bytes. With `values` a listener gets the value of the tool input at every delta; without it the SDK parses
// it when somebody looks, which is at the end. Prints one line of JSON with the CPU time of a first round, and the median
// of ROUNDS more. A first round of more than five seconds is the only one. Ends with 3 if the SDK is not installed.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const LONG_MS = 5000;

// `import` does not look into NODE_PATH, `require` does.
const require = createRequire(import.meta.url);

function load(name) {
  try {
    return require(name);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    console.error(error.message.split('\n')[0]);
    process.exit(3);
  }
}

function piecesOf(body, cut) {
  const pieces = [];
  for (let begin = 0, end; begin < body.length; begin = end) {
    end = cut === 'events' ? body.indexOf('\n\n', begin) + 2 : Math.min(begin + Number(cut), body.length);
    pieces.push(new Uint8Array(body.subarray(begin, end)));
  }
  return pieces;
}

function source(pieces) {
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      if (next < pieces.length) controller.enqueue(pieces[next++]);
      else controller.close();
    },
  });
}

async function read(client, values) {
  const stream = client.messages.stream({
    model: 'claude-sonnet-4-5',
    max_tokens: 1,
    messages: [{ role: 'user', content: 'Hi' }],
  });
  let seen;
  if (values) stream.on('inputJson', (_delta, snapshot) => (seen = snapshot));
  const message = await stream.finalMessage();
  // Whoever runs the tool looks at its input once at least.
  return { message, input: message.content[0].input, seen };
}

function carried({ content: [block] }) {
  return Buffer.byteLength(block.type === 'text' ? block.text : JSON.stringify(block.input));
}

function median(times) {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
}

const [path, cut, rounds, mode] = process.argv.slice(2);
const { default: Anthropic } = load('@anthropic-ai/sdk');
const { VERSION } = load('@anthropic-ai/sdk/version');
const pieces = piecesOf(readFileSync(path), cut);
const headers = { 'content-type': 'text/event-stream' };
const client = new Anthropic({ apiKey: 'none', fetch: async () => new Response(source(pieces), { headers }) });

async function timed() {
  const began = process.cpuUsage();
  const { message } = await read(client, mode === 'values');
  const { user, system } = process.cpuUsage(began);
  return { ms: (user + system) / 1000, message };
}

const { ms, message } = await timed();
const times = ms > LONG_MS ? [ms] : [];
while (ms <= LONG_MS && times.length < Number(rounds)) times.push((await timed()).ms);
console.log(
  JSON.stringify({
    peer: `@anthropic-ai/sdk ${VERSION}, Node ${process.versions.node}`,
    first_ms: ms,
    median_ms: median(times),
    rounds: times.length,
    bytes: carried(message),
  }),
);
