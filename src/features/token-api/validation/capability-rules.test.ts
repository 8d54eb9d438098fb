import assert from 'node:assert/strict';
import { test } from 'vitest';
import { formatProblem } from './problem.ts';
import { validateRequest } from './validate-request.ts';

const MESSAGES = [{ role: 'user', content: 'x' }];
const TOOL = { name: 'f', input_schema: { type: 'object' } };
const COMPUTER = { name: 'computer', display_width_px: 1024, display_height_px: 768 };

const validate = (model: string, more: object): string => {
  const problem = validateRequest({ model, messages: MESSAGES, ...more }, '2023-06-01');
  return problem ? formatProblem(problem) : 'accepted';
};

test.each(['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-fable-5-1', 'claude-mythos-5-1'])(
  'rejects a forced tool choice when the model is %s',
  (model) => {
    for (const choice of [{ type: 'any' }, { type: 'tool', name: 'f' }])
      assert.equal(
        validate(model, { tools: [TOOL], tool_choice: choice }),
        'tool_choice: type "tool" and "any" are not supported for this model.',
      );
    assert.equal(validate(model, { tools: [TOOL], tool_choice: { type: 'auto' } }), 'accepted');
  },
);

const ENABLED = { type: 'enabled', budget_tokens: 1024 };
const USE_ADAPTIVE =
  ' is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
test.each([
  ['claude-opus-5-5', { type: 'disabled' }, `"thinking.type.disabled"${USE_ADAPTIVE}`],
  ['claude-fable-5-1', { type: 'disabled' }, `"thinking.type.disabled"${USE_ADAPTIVE}`],
  ['claude-sonnet-5', ENABLED, `"thinking.type.enabled"${USE_ADAPTIVE}`],
  ['claude-opus-4-8', { type: 'between_tools' }, '"thinking.type.between_tools" is not supported for this model.'],
  ['claude-haiku-4-5', { type: 'adaptive' }, 'adaptive thinking is not supported on this model'],
  ['claude-3-5-haiku', ENABLED, '"thinking.type.enabled" is not supported for this model.'],
])('rejects a type of thinking that %s does not have', (model, thinking, message) => {
  assert.equal(validate(model, { thinking }), message);
});

test.each([
  ['claude-sonnet-5-5', { type: 'between_tools' }],
  ['claude-sonnet-4-6', ENABLED],
  ['claude-sonnet-4-6', { type: 'adaptive' }],
  ['claude-haiku-4-5', ENABLED],
  // Not published for this model.
  ['claude-fable-5-2', { type: 'between_tools' }],
])('accepts a type of thinking that %s has or may have', (model, thinking) => {
  assert.equal(validate(model, { thinking }), 'accepted');
});

test.each([
  [
    'claude-opus-4-6',
    'xhigh',
    "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium.",
  ],
  ['claude-opus-4-5', 'max', "This model does not support effort level 'max'. Supported levels: high, low, medium."],
  ['claude-sonnet-4-5', 'low', 'This model does not support the effort parameter.'],
  ['claude-opus-4-8', 'xhigh', 'accepted'],
])('compares the effort with the levels of %s', (model, effort, expected) => {
  assert.equal(validate(model, { output_config: { effort } }), expected);
});

test.each([
  ['claude-opus-5', 'disabled'],
  ['claude-haiku-5-5', 'disabled'],
  ['claude-sonnet-5-5', 'between_tools'],
])('rejects a high effort of %s when thinking is off', (model, type) => {
  const thinking = { type };
  assert.match(
    validate(model, { thinking, output_config: { effort: 'max' } }),
    /effort 'max' is not supported when thinking/,
  );
  assert.equal(validate(model, { thinking, output_config: { effort: 'high' } }), 'accepted');
});

test('rejects a computer tool of other models and names those of the model', () => {
  const withTool = (model: string, type: string) => validate(model, { tools: [{ type, ...COMPUTER }] });
  assert.equal(
    withTool('claude-opus-5-5', 'computer_20251124'),
    "'claude-opus-5-5' does not support tool types: computer_20251124. Did you mean one of computer_toolset_20260801?",
  );
  assert.equal(withTool('claude-opus-5', 'computer_20251124'), 'accepted');
  assert.equal(withTool('claude-mythos-preview', 'computer_20250124'), 'accepted');
});
