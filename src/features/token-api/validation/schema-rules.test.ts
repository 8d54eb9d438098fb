import assert from 'node:assert/strict';
import { test } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { matchesDraft } from './schema-rules.ts';

const KEYWORDS =
  '$id $ref $defs $anchor $comment type enum const properties required items prefixItems contains not anyOf if minimum ' +
  'maxLength pattern uniqueItems additionalProperties dependentRequired dependentSchemas dependencies definitions ' +
  'propertyNames unevaluatedItems minProperties title default deprecated examples format contentEncoding';

test('decides like the published meta-schema when it is merged', () => {
  const published = new Ajv2020({ strict: false, validateFormats: false }).getSchema(
    'https://json-schema.org/draft/2020-12/schema',
  )!;
  const { schema } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>('string', 'object', 'x', '#a', 1, -1, 0.5, true, false, [], ['a', 'b'], ['a', 'a'], {}),
      fc.array(tie('schema'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(tie('schema'), tie('value')), { maxKeys: 2 }),
      tie('schema'),
    ),
    schema: fc.dictionary(fc.constantFrom(...KEYWORDS.split(' ')), tie('value'), { maxKeys: 3 }),
  }));
  let matching = 0;
  fc.assert(
    fc.property(schema, (candidate) => {
      const expected = published(candidate) === true;
      assert.equal(matchesDraft(candidate), expected, JSON.stringify(candidate));
      if (expected) matching += 1;
    }),
    { numRuns: 2_000 },
  );
  assert.ok(matching > 100 && matching < 1_900, `${matching} of 2,000 match`);
});
