import assert from 'node:assert/strict';
import { test } from 'vitest';
import { countTokens, type CountTokensRequest, type Message } from '../index.ts';

const call = (id: string, name = 'find'): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input: { query: 'a long question about boats' } }],
});
const result = (id: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: 'boat '.repeat(40) }],
});
const tool = (name: string) => ({ name, input_schema: { type: 'object' } });
const exchanges = ['a', 'b', 'c', 'd'].flatMap((id) => [call(id, id === 'a' ? 'read' : 'find'), result(id)]);
const request: CountTokensRequest = {
  model: 'claude-haiku-4-5',
  tools: [tool('find'), tool('read')],
  messages: [{ role: 'user', content: 'Look.' }, ...exchanges],
};
const uneditedTokens = countTokens(request).input_tokens;

/** Returns the tokens that an edit clears if it keeps the default of three uses. */
function cleared(edit: object): number {
  const edits = [{ type: 'clear_tool_uses_20250919', trigger: { type: 'tool_uses', value: 1 }, ...edit }];
  const counted = countTokens({ ...request, context_management: { edits } });
  assert.equal(counted.original_input_tokens, uneditedTokens);
  return uneditedTokens - counted.input_tokens;
}

test('clears results of all but the last three uses when the trigger is exceeded', () => {
  const one = cleared({});
  assert.ok(one > 30 && one < 50, `${one}`);
  assert.equal(cleared({ keep: { type: 'tool_uses', value: 2 } }), 2 * one);
  assert.equal(cleared({ trigger: { type: 'tool_uses', value: 4 } }), 0);
  assert.equal(cleared({ trigger: { type: 'input_tokens', value: uneditedTokens - 1 } }), one);
  assert.equal(cleared({ trigger: { type: 'input_tokens', value: uneditedTokens } }), 0);
  assert.equal(cleared({ trigger: null }), 0, 'the default is 100,000 tokens');
});

test('excludes tools, clears inputs on request and skips small savings', () => {
  assert.equal(cleared({ exclude_tools: ['read'] }), 0);
  assert.ok(cleared({ clear_tool_inputs: true }) > cleared({}));
  assert.equal(cleared({ clear_tool_inputs: ['find'] }), cleared({}));
  assert.equal(cleared({ clear_at_least: { type: 'input_tokens', value: 1000 } }), 0);
});

test('ignores edits of thinking and compaction', () => {
  for (const type of ['clear_thinking_20251015', 'compact_20260112']) {
    const counted = countTokens({ ...request, context_management: { edits: [{ type }] } });
    assert.deepEqual([counted.input_tokens, counted.original_input_tokens], [uneditedTokens, uneditedTokens]);
  }
});
