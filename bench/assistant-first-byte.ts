/**
 * `npm run bench -- assistant-first-byte [--answers 60]`: from the moment at which the model's fake sends its first
 * byte until a client of the service has the first text of the answer, beside the same client reading the fake itself,
 * in turns. Over HTTP, through the whole service. Ends with 1 where the medians are more than 50 ms apart.
 */
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { type SignedIn, startAssistantService } from '../test/support/assistant-service.ts';

const { values } = parseArgs({ options: { answers: { type: 'string', default: '60' } } });
const answers = Number(values.answers);
const MOST_MS = 50;

const MANY = '900000000';
const service = await startAssistantService({
  ...{ ASSISTANT_DAILY_ANSWERS: '100000', ASSISTANT_DAILY_TOKENS: MANY, ASSISTANT_DAILY_TOKENS_OF_ALL: MANY },
});
try {
  const member = await service.signIn(2);
  const body = await recordBody(member);
  for (let warm = 0; warm < 10; warm += 1) await Promise.all([throughService(member), fromFake(body)]);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let asked = 0; asked < answers; asked += 1) {
    ours.push(await throughService(member));
    theirs.push(await fromFake(body));
  }
  const [mine, peer] = [medianOf(ours), medianOf(theirs)];
  console.log(`first text after the model's first byte: ${inWords(ours)}; of the fake itself ${inWords(theirs)}`);
  console.log(`${(mine - peer).toFixed(1)} ms apart at the median; the goal is at most ${MOST_MS}`);
  process.exitCode = mine - peer > MOST_MS ? 1 : 0;
} finally {
  await service.stop();
}

/** What the service sends to the model, to be sent by the peer as well. */
async function recordBody(member: SignedIn): Promise<string> {
  await (await member.ask('Well?')).rest();
  return JSON.stringify({ ...service.model.requests.at(-1)!.body, stream: true });
}

async function throughService(member: SignedIn): Promise<number> {
  const stream = await member.ask('Well?');
  let took: number | undefined;
  // To its end, so that no answer runs beside the next one.
  for await (const event of stream.events)
    if (event.type === 'text') took ??= performance.now() - service.model.firstBytes.at(-1)!;
  return took ?? assert.fail('no text came');
}

async function fromFake(body: string): Promise<number> {
  const response = await fetch(`${service.model.url}/v1/messages`, {
    ...{ method: 'POST', body, headers: { authorization: 'Bearer sk-test-key' } },
  });
  let read = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    read += chunk;
    if (read.includes('text_delta')) break;
  }
  return performance.now() - service.model.firstBytes.at(-1)!;
}

function inWords(times: readonly number[]): string {
  return `${medianOf(times).toFixed(1)} ms (p95 ${share(times, 0.95).toFixed(1)})`;
}

function medianOf(times: readonly number[]): number {
  return share(times, 0.5);
}

function share(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * part)]!;
}
