import assert from 'node:assert/strict';
import { test } from 'vitest';
import { countInputTokens, countShare } from '../index.ts';
import type { CountTokensRequest, Message } from '../request-types.ts';
import { randomText, seeded } from '../../../../test/reference/random-texts.ts';

const MODELS = ['claude-3-5-haiku', 'claude-sonnet-4-6', 'claude-opus-4-7', 'claude-opus-5', 'claude-sonnet-5'];
const next = seeded(23);

/** Long texts of every script, some without a place where they may be cut, between short ones. */
function longRequest(model: string): CountTokensRequest {
  const long = (): string =>
    [
      randomText(next, 20_000 + next(60_000), next(10)),
      'word '.repeat(next(20_000)),
      'x'.repeat(50_000),
      '\u6587'.repeat(30_000),
    ][next(4)]!;
  const messages = Array.from({ length: 7 }, (_, index): Message => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: index % 3 === 0 ? 'Go on.' : long() || '.',
  }));
  return {
    model,
    system: long() || '.',
    messages,
    tools: [{ name: 'look', description: long(), input_schema: { type: 'object' } }],
  };
}

test('the shares of a request together are its count, however many there are', () => {
  for (const model of MODELS) {
    for (let round = 0; round < 3; round += 1) {
      const request = longRequest(model);
      const count = countInputTokens(request);
      for (const threads of [1, 2, 3, 4]) {
        const shares = Array.from({ length: threads }, (_, index) => countShare(request, { index, of: threads }));
        assert.equal(
          shares.reduce((sum, share) => sum + share, 0),
          count,
          `${model}, ${threads} shares: ${shares.join(' + ')}`,
        );
      }
    }
  }
});

test('the shares of a conversation that goes on are its count, though the turns before are known', () => {
  for (const model of MODELS) {
    const request = longRequest(model);
    const longer = {
      ...request,
      messages: [...request.messages, { role: 'user' as const, content: 'And '.repeat(9000) }],
    };
    for (const each of [request, request, longer, request]) {
      const shares = [0, 1, 2].map((index) => countShare(each, { index, of: 3 }));
      assert.equal(
        shares.reduce((sum, share) => sum + share, 0),
        countInputTokens(each),
      );
    }
  }
});

test('long texts are dealt out evenly, and of short ones nothing is left for the others', () => {
  const content = 'The quick brown fox jumps over the lazy dog. '.repeat(20_000);
  for (const model of MODELS) {
    const shares = [0, 1].map((index) =>
      countShare({ model, messages: [{ role: 'user', content }] }, { index, of: 2 }),
    );
    assert.ok(Math.abs(shares[0]! - shares[1]!) < 0.05 * (shares[0]! + shares[1]!), `${model}: ${shares.join(' + ')}`);
    assert.equal(countShare({ model, messages: [{ role: 'user', content: 'Hello' }] }, { index: 1, of: 2 }), 0);
  }
});
