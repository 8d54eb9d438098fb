import assert from 'node:assert/strict';
import { test } from 'vitest';
import { decodeBody } from './decode-body.ts';
import { formatProblem } from './problem.ts';
import { validateRequest } from './validate-request.ts';

const tool = (name: string, schema: object = {}): object => ({ name, input_schema: { type: 'object', ...schema } });
const createRequest = (messages: object[], more: object = {}): object => ({
  model: 'claude-opus-4-8',
  messages,
  ...more,
});
const user = (...content: object[]): object => ({ role: 'user', content });
const assistant = (...content: object[]): object => ({ role: 'assistant', content });
const text = (of: string): object => ({ type: 'text', text: of });
const call = (id: string): object => ({ type: 'tool_use', id, name: 'look', input: {} });
const result = (id: string, content: unknown = 'x'): object => ({ type: 'tool_result', tool_use_id: id, content });

function validateToMessage(body: object): string {
  const problem = validateRequest(body, '2023-06-01');
  return problem ? formatProblem(problem) : 'accepted';
}

test('accepts a reused call id in a later turn', () => {
  const turn = [assistant(call('a')), user(result('a'))];
  assert.equal(validateToMessage(createRequest([user(text('x')), ...turn, ...turn])), 'accepted');
});

test('accepts blank text of the assistant only beside a call', () => {
  assert.equal(
    validateToMessage(createRequest([user(text('x')), assistant(text(' '), call('a')), user(result('a'))])),
    'accepted',
  );
  assert.match(
    validateToMessage(createRequest([user(text('x')), assistant(text(' ')), user(text('y'))])),
    /non-whitespace text/,
  );
});

test('rejects a combined schema only at the top level', () => {
  for (const key of ['oneOf', 'allOf', 'anyOf']) {
    const tools = [tool('a'), tool('b', { [key]: [{}] })];
    assert.equal(
      validateToMessage(createRequest([user(text('x'))], { tools })),
      'tools.1.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level',
    );
    assert.equal(
      validateToMessage(
        createRequest([user(text('x'))], { tools: [tool('a', { properties: { b: { [key]: [{}] } } })] }),
      ),
      'accepted',
    );
  }
});

test('accepts a reference to a tool of the request', () => {
  const refer = [{ type: 'tool_reference', tool_name: 'find' }];
  const messages = [user(text('x')), assistant(call('a')), user(result('a', refer))];
  assert.equal(validateToMessage(createRequest(messages, { tools: [tool('look'), tool('find')] })), 'accepted');
});

test('accepts tool search types with and without a date', () => {
  for (const type of ['tool_search_tool_regex', 'tool_search_tool_bm25', 'tool_search_tool_regex_20251119'])
    assert.equal(
      validateToMessage(createRequest([user(text('x'))], { tools: [{ type, name: type.replace(/_\d+$/, '') }] })),
      'accepted',
    );
  assert.notEqual(
    validateToMessage(createRequest([user(text('x'))], { tools: [{ type: 'web_search', name: 'search' }] })),
    'accepted',
  );
});

test('names the only name that a tool of the provider may have', () => {
  const names = [
    ['bash_20250124', 'bash'],
    ['text_editor_20250124', 'str_replace_editor'],
    ['text_editor_20250728', 'str_replace_based_edit_tool'],
    ['web_search_20260318', 'web_search'],
    ['computer_20251124', 'computer'],
  ];
  for (const [type, name] of names) {
    const validate = (given: object) =>
      validateToMessage(createRequest([user(text('x'))], { tools: [{ type, ...given }] }));
    assert.equal(validate({ name: 'other' }), `tools.0.${type}.name: Input should be '${name}'`);
    assert.equal(validate({ name }), 'accepted');
  }
});

test('rejects an unpaired surrogate with its line and column', () => {
  const read = (body: string): string => {
    const decoded = decodeBody(Buffer.from(body));
    return decoded.ok ? 'accepted' : decoded.problem.message;
  };
  assert.equal(
    read('{"a":"\\ud83d"}'),
    'The request body is not valid JSON: no low surrogate in string: line 1 column 7 (char 6)',
  );
  assert.match(read('{"a":\n"\\ude00"}'), /invalid high surrogate in string: line 2 column 2 \(char 7\)$/);
  assert.match(read('{"a":"\\ud83d\\u0041"}'), /invalid low surrogate in string: line 1 column 7/);
  for (const body of ['{"a":"\\ud83d\\ude00\\u0041"}', '{"a":"\\\\ud83d"}', '{"a":"\\u00e9"}'])
    assert.equal(read(body), 'accepted', body);
});
