import { describe, test } from 'vitest';
import assert from 'node:assert/strict';
import { resolveModel, suggestModel } from './resolve-model.ts';
import { listModels } from './models.ts';

/** Identifiers of one platform, each with the id that the counter takes. */
const PLATFORMS: Record<string, [identifier: string, id: string][]> = {
  'Vertex AI': [
    ['claude-haiku-4-5@20251001', 'claude-haiku-4-5'],
    ['claude-3-5-sonnet-v2@20241022', 'claude-3-5-sonnet'],
    ['claude-3-5-sonnet@20240620', 'claude-3-5-sonnet-20240620'],
    ['vertex_ai/claude-3-5-sonnet', 'claude-3-5-sonnet-20240620'],
    ['vertex_ai/claude-3-5-sonnet-v2', 'claude-3-5-sonnet'],
    ['vertex_ai/claude-sonnet-4@20250514', 'claude-sonnet-4'],
    ['claude-opus-4-6@default', 'claude-opus-4-6'],
    ['projects/p/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
  ],
  Bedrock: [
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['eu.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-haiku-4-5'],
    ['apac.anthropic.claude-3-haiku-20240307-v1:0', 'claude-3-haiku'],
    ['global.anthropic.claude-opus-4-8', 'claude-opus-4-8'],
    ['jp.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['au.anthropic.claude-opus-4-6-v1', 'claude-opus-4-6'],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'claude-3-5-sonnet'],
    ['anthropic.claude-3-5-sonnet-20241022-v2-0', 'claude-3-5-sonnet'],
    ['anthropic.claude-3-5-sonnet-20240620-v1:0', 'claude-3-5-sonnet-20240620'],
    ['anthropic.claude-3-sonnet-20240229-v1:0:28k', 'claude-3-sonnet'],
    ['bedrock/us-east-1/anthropic.claude-3-haiku-20240307-v1:0', 'claude-3-haiku'],
    ['bedrock/converse/us.anthropic.claude-opus-4-1-20250805-v1:0', 'claude-opus-4-1'],
    [
      'arn:aws:bedrock:us-east-1:012345678901:inference-profile/us.anthropic.claude-3-7-sonnet-20250219-v1:0',
      'claude-3-7-sonnet',
    ],
    ['arn:aws-us-gov:bedrock:us-gov-west-1::foundation-model/anthropic.claude-3-haiku-20240307-v1:0', 'claude-3-haiku'],
  ],
  OpenRouter: [
    ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['anthropic/claude-3.5-sonnet', 'claude-3-5-sonnet'],
    ['anthropic/claude-3.5-sonnet-20240620:beta', 'claude-3-5-sonnet-20240620'],
    ['anthropic/claude-3.7-sonnet:thinking', 'claude-3-7-sonnet'],
    ['anthropic/claude-4.6-opus-20260205', 'claude-opus-4-6'],
    ['anthropic/claude-opus-4.6-fast', 'claude-opus-4-6'],
  ],
  'other tools': [
    ['claude-sonnet-4-5[1m]', 'claude-sonnet-4-5'],
    ['anthropic:claude-opus-4-0', 'claude-opus-4'],
    ['databricks-claude-3-7-sonnet', 'claude-3-7-sonnet'],
    ['claude-4-sonnet-20250514', 'claude-sonnet-4'],
    ['claude-haiku-3.5', 'claude-3-5-haiku'],
    ['claude-opus-4-5-latest', 'claude-opus-4-5'],
    ['claude-opus-5-0', 'claude-opus-5'],
    [' CLAUDE-OPUS-5\n', 'claude-opus-5'],
    ['us.anthropic.claude-mythos-preview-v1:0', 'claude-mythos-preview'],
  ],
};

describe.each(Object.entries(PLATFORMS))('an identifier of %s', (_platform, cases) => {
  test.each(cases)('finds the model of %s', (identifier, id) => {
    assert.equal(resolveModel(identifier)?.id, id);
  });
});

test('finds every id and alias as it is', () => {
  for (const row of listModels()) {
    for (const id of [row.id, ...row.aliases]) assert.equal(resolveModel(id), row);
  }
});

test('finds the newest model of a family when the version is latest', () => {
  for (const family of ['opus', 'sonnet', 'haiku']) {
    const newest = listModels().find(({ id }) => id.includes(family));
    assert.equal(resolveModel(`~anthropic/claude-${family}-latest`), newest);
  }
});

test('finds nothing when the identifier names no known model', () => {
  const identifiers = [
    '',
    'gpt-4',
    'claude',
    'claude-opus',
    'claude-opus-7',
    'claude-instant-latest',
    'claude-3-5-sonnet-20250129',
    'claude-3-opus-4',
    'my-claude-opus-5',
    'anthropic/claude-opus-5-distilled',
    'arn:aws:bedrock:us-east-1:012345678901:application-inference-profile/abcdef',
    '__proto__',
    `${'a'.repeat(1_000)}/claude-opus-5`,
  ];
  for (const identifier of identifiers) assert.equal(resolveModel(identifier), undefined, identifier);
});

test('suggests the newest model of the family when the version is unknown', () => {
  assert.equal(suggestModel('claude-opus-7')?.id, listModels().find(({ id }) => id.includes('opus'))!.id);
  assert.equal(suggestModel('Claude Sonnet 9')?.id, listModels().find(({ id }) => id.includes('sonnet'))!.id);
  assert.equal(suggestModel('gpt-4'), undefined);
});
