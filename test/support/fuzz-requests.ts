import assert from 'node:assert/strict';
import fc from 'fast-check';
import { arbitraryRequest, mutate } from './arbitrary-requests.ts';
import { startCountServer } from './count-server.ts';

interface FuzzReport {
  requests: number;
  byStatus: Record<string, number>;
  slowestMs: number;
  /** The slowest request, by the best of its attempts. */
  slowest: string;
  seed: number;
}

interface CountResponse {
  status: number;
  tokens: number;
  text: string;
}

const strangeText = fc.constantFrom(
  '<|endoftext|>',
  '\n\nHuman: ',
  '\n\nAssistant:',
  '</s>',
  '__proto__',
  'constructor',
  '\u0000',
  '\ufeff',
  '\u200d',
  '﷽',
  'aaaa'.repeat(200),
  '0'.repeat(300),
  '  \n\n\t'.repeat(20),
);
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      strangeText,
      fc.lorem({ maxCount: 20 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''))
  .filter((joinedText) => joinedText.trim() !== '');

interface TextRequest {
  model: string;
  system?: string;
  messages: { role: string; content: string | { type: 'text'; text: string }[] }[];
}

/** The endpoint rejects a last assistant message that ends with white space. */
const endWithUser = <M extends { role: string }>(messages: readonly M[]): M[] =>
  messages.map((message, index) => (index === messages.length - 1 ? { ...message, role: 'user' } : message));

const textRequest = fc.record(
  {
    model: fc.constantFrom(
      'claude-opus-5',
      'claude-opus-4-6',
      'claude-opus-4-7',
      'claude-sonnet-5',
      'claude-haiku-4-5',
    ),
    messages: fc
      .array(
        fc.record({
          role: fc.constantFrom('user', 'assistant'),
          content: fc.oneof(
            text,
            fc.array(
              text.map((candidate) => ({ type: 'text' as const, text: candidate })),
              { minLength: 1, maxLength: 3 },
            ),
          ),
        }),
        { minLength: 1, maxLength: 4 },
      )
      .map(endWithUser),
    system: text,
  },
  { requiredKeys: ['model', 'messages'] },
) as fc.Arbitrary<TextRequest>;

/** Returns every text of a request in order, and a function that builds the request with each text replaced. */
function getTexts(request: TextRequest): string[] {
  return [
    request.system ?? [],
    ...request.messages.map(({ content }) =>
      typeof content === 'string' ? content : content.map((block) => block.text),
    ),
  ].flat();
}

const withTexts = (request: TextRequest, value: string): TextRequest => ({
  ...request,
  ...(request.system !== undefined && { system: value }),
  messages: request.messages.map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? value : content.map((block) => ({ ...block, text: value })),
  })),
});

/**
 * Returns an upper bound of a text's tokens. It counts one token per byte of the text or of its compatibility form,
 * since one character can stand for a phrase. It adds the marks for start, end and capitals of each unknown word. Each
 * non-Latin letter may be a word, since a word does not mix scripts.
 */
function estimateMaxTokens(one: string): number {
  const decomposed = one.normalize('NFKC');
  const wordCount = decomposed.match(/\p{Lu}|\p{Lt}|(?<!\p{Script=Latin})\p{L}|(?<!\S)\S/gu)?.length ?? 0;
  return Math.max(Buffer.byteLength(one), Buffer.byteLength(decomposed)) + 3 * wordCount;
}

const reverseKeys = (value: object): object => Object.fromEntries(Object.entries(value).reverse());

/** Adds an automatic breakpoint and one on the last block of each second message with blocks. */
function withCacheControl(request: TextRequest, markerIndex: number): object {
  const messages = request.messages.map(({ role, content }, index) => {
    if (typeof content === 'string' || (index + markerIndex) % 2 === 0) return { role, content };
    const lastBlock = { ...content.at(-1), cache_control: { type: 'ephemeral', ttl: '1h' } };
    return { role, content: [...content.slice(0, -1), lastBlock] };
  });
  return { ...request, messages, cache_control: { type: 'ephemeral', ttl: '1h' } };
}

/**
 * Sends mutated requests to a new server. Throws if one returns a 500, takes longer than `slowest` (ms) or exceeds the
 * bounds of its count. The error shows the first failure, shrunk to its smallest form.
 */
export async function fuzzRequests(requests: number, seed: number, slowest: number): Promise<FuzzReport> {
  const server = await startCountServer();
  const report: FuzzReport = { requests: 0, byStatus: {}, slowestMs: 0, slowest: '', seed };
  const headers = { 'x-api-key': server.key, 'svc-version': '2023-06-01', 'content-type': 'application/json' };

  const sendOnce = async (body: string): Promise<{ response: Response; text: string; durationMs: number }> => {
    const from = performance.now();
    const response = await fetch(`${server.url}/v1/messages/count_tokens`, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(30_000),
    });
    const responseText = await response.text();
    report.requests += 1;
    return { response, text: responseText, durationMs: performance.now() - from };
  };
  const send = async (body: unknown): Promise<CountResponse> => {
    const requestText = JSON.stringify(body);
    let answer = await sendOnce(requestText);
    // A busy machine can delay any request. Only a slow request is slow in each attempt.
    let took = answer.durationMs;
    for (let attempt = 1; attempt <= 3 && took > report.slowestMs; attempt += 1) {
      answer = await sendOnce(requestText);
      took = Math.min(took, answer.durationMs);
    }
    const { response, text } = answer;
    report.byStatus[response.status] = (report.byStatus[response.status] ?? 0) + 1;
    if (took > report.slowestMs) {
      report.slowestMs = took;
      report.slowest = `${Buffer.byteLength(requestText)} bytes, answered with ${response.status}: ${requestText.slice(0, 300)}`;
    }
    assert.ok([200, 400, 404].includes(response.status), `${response.status} ${text}`);
    assert.ok(took < slowest, `took ${Math.round(took)} ms in each attempt`);
    const { input_tokens = Number.NaN } = JSON.parse(text) as { input_tokens?: number };
    return { status: response.status, tokens: input_tokens, text };
  };
  const count = async (body: unknown): Promise<number> => {
    const { status, tokens, text: detailText } = await send(body);
    assert.equal(status, 200, detailText);
    return tokens;
  };

  const anyJson = fc.asyncProperty(
    arbitraryRequest,
    fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
    fc.jsonValue({ maxDepth: 1 }),
    async (body, choices, value) => {
      const left = [...choices];
      await send(mutate(body, () => left.shift() ?? 0, value));
    },
  );

  // Each run sends five requests: the count, its frame, and three notations of the request.
  const textOnly = fc.asyncProperty(textRequest, fc.nat(), async (request, markerIndex) => {
    const tokens = await count(request);
    const parts = getTexts(request);
    const frameTokens = (await count(withTexts(request, 'a'))) - parts.length;
    const maxTokens = parts.reduce((sum, part) => sum + estimateMaxTokens(part), 0);
    assert.ok(
      tokens >= frameTokens && tokens <= maxTokens + frameTokens,
      `${tokens} is not within ${frameTokens} and ${maxTokens} + ${frameTokens}`,
    );
    assert.equal(await count(reverseKeys(request)), tokens, 'the order of the keys');
    assert.equal(
      await count({ ...request, messages: request.messages.map(reverseKeys) }),
      tokens,
      'the order of the keys of messages',
    );
    assert.equal(await count(withCacheControl(request, markerIndex)), tokens, 'cache_control');
  });

  try {
    await Promise.all([
      fc.assert(anyJson, { numRuns: Math.ceil(requests / 2), seed, endOnFailure: false }),
      fc.assert(textOnly, { numRuns: Math.ceil(requests / 10), seed: seed + 1, endOnFailure: false }),
    ]);
  } finally {
    await server.close();
  }
  return report;
}
