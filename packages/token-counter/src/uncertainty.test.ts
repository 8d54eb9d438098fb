import assert from 'node:assert/strict';
import { test } from 'vitest';
import { countTokens, estimateUncertainty } from './index.ts';

const message = (content: string | object[]): never => [{ role: 'user', content }] as never;

test('is certain for plain text of a recorded model and widens the bounds for documents', () => {
  const model = 'claude-sonnet-4-5';
  const plain = countTokens({ model, messages: message('How many?') });
  const certain = estimateUncertainty(plain, model);
  assert.deepEqual(certain.parts, []);
  assert.ok(certain.low <= plain.input_tokens && plain.input_tokens <= certain.high);
  const source = { type: 'text', media_type: 'text/plain', data: 'One. Two. Three.'.repeat(100) };
  const cited = countTokens({ model, messages: message([{ type: 'document', source, citations: { enabled: true } }]) });
  const uncertain = estimateUncertainty(cited, model);
  assert.ok(uncertain.parts.some(({ kind }) => kind === 'document'));
  assert.ok(uncertain.high - uncertain.low > certain.high - certain.low);
  assert.throws(() => estimateUncertainty(plain, 'claude-none'), RangeError);
});
