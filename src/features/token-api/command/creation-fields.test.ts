import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { CLIENT_MODULES, ClientTypes } from '../../../../test/support/client-types.ts';
import { validateRequest } from '../validation/validate-request.ts';
import { CREATION_FIELDS, listBetas, omitCreationFields } from './creation-fields.ts';

const client = new ClientTypes(new URL('../../../../node_modules/@anthropic-ai/sdk/', import.meta.url));
const CREATE_TYPES = ['MessageCreateParamsBase', 'MessageCreateParamsNonStreaming', 'MessageCreateParamsStreaming'];

describe.each(CLIENT_MODULES)('the parameters of %s', (module) => {
  const countFields = client.listFields(module, 'MessageCountTokensParams');

  test('have no creation field that is neither counted nor omitted', () => {
    const created = CREATE_TYPES.flatMap((name) => client.listFields(module, name));

    assert.ok(created.includes('max_tokens') && created.includes('stream') && created.includes('messages'));
    assert.deepEqual(
      created.filter((field) => !countFields.includes(field) && !CREATION_FIELDS.has(field)),
      [],
    );
  });

  test('have no counted field that is omitted unless it is a header', () => {
    const omitted = countFields.filter((field) => CREATION_FIELDS.has(field));

    assert.deepEqual(
      omitted.filter((field) => !['betas', 'user_profile_id', 'workspace_id'].includes(field)),
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
