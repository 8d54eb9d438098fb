import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import { validateRequest } from '../validation/validate-request.ts';
import { CREATION_FIELDS, listBetas, omitCreationFields } from './creation-fields.ts';

const sdk = new URL('../../../../node_modules/@anthropic-ai/sdk/resources/', import.meta.url);

/** Returns the fields of an interface in the client's type declarations, each with `Body param` or `Header param`. */
function readFields(source: string, name: string): Map<string, string> {
  const body = new RegExp(`^export interface ${name}(?: extends \\w+)? \\{\\n([\\s\\S]*?)\\n\\}`, 'm').exec(
    source,
  )?.[1];
  assert.ok(body, `the client has no ${name}`);
  const fields = body.matchAll(/^ {4}\/\*\*\n {5}\* (Body|Header|Query) param[\s\S]*?\*\/\n {4}'?([\w-]+)'?\??:/gm);
  return new Map(Array.from(fields, ([, place = '', field = '']) => [field, place]));
}

/** Returns every field name of an interface, with or without a description. */
function readNames(source: string, name: string): string[] {
  const body = new RegExp(`^export interface ${name}(?: extends \\w+)? \\{\\n([\\s\\S]*?)\\n\\}`, 'm').exec(
    source,
  )?.[1];
  return Array.from((body ?? '').matchAll(/^ {4}'?([\w-]+)'?\??:/gm), ([, field = '']) => field);
}

const CREATE_TYPES = ['MessageCreateParamsBase', 'MessageCreateParamsNonStreaming', 'MessageCreateParamsStreaming'];

describe.each(['messages/messages.d.ts', 'beta/messages/messages.d.ts'])('the types of %s', (path) => {
  const source = readFileSync(new URL(path, sdk), 'utf8');
  const countFields = readFields(source, 'MessageCountTokensParams');
  const countBody = [...countFields].filter(([, place]) => place === 'Body').map(([field]) => field);

  test('describe the place of every count parameter', () => {
    assert.deepEqual([...countFields.keys()].sort(), readNames(source, 'MessageCountTokensParams').sort());
    assert.ok(countBody.length >= 8);
  });

  test('have no creation parameter that is neither counted nor omitted', () => {
    const created = new Set(CREATE_TYPES.flatMap((name) => readNames(source, name)));
    assert.ok(created.has('max_tokens') && created.has('messages'));
    const undecided = [...created].filter((field) => !countBody.includes(field) && !CREATION_FIELDS.has(field));
    assert.deepEqual(undecided, []);
  });

  test('have no counted body parameter that is omitted', () => {
    assert.deepEqual(
      countBody.filter((field) => CREATION_FIELDS.has(field)),
      [],
    );
  });
});

test('leaves a valid count request when every creation field is present', () => {
  const counted = { model: 'claude-opus-5', messages: [{ role: 'user', content: 'Hi' }] };
  const created = { ...counted, ...Object.fromEntries(Array.from(CREATION_FIELDS, (field) => [field, 1])) };
  assert.deepEqual(omitCreationFields(created), counted);
  assert.equal(validateRequest(omitCreationFields(created), '2023-06-01'), undefined);
});

test('lists betas as the official client and Bedrock name them', () => {
  assert.deepEqual(listBetas({ betas: ['a', 1, 'b'] }), ['a', 'b']);
  assert.deepEqual(listBetas({ anthropic_beta: 'a, b' }), ['a', 'b']);
  assert.deepEqual(listBetas({ anthropic_beta: ['a'] }), ['a']);
  assert.deepEqual(listBetas({}), []);
});
