import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { decodeBody } from './decode-body.ts';
import { MAX_DEPTH } from './body-problems.ts';
import { inspectJson } from './inspect-json.ts';

const find = (text: string): string | undefined => {
  const violation = inspectJson(Buffer.from(text));
  return violation?.kind === 'repeated-key' ? violation.key : violation?.kind;
};

test('finds a repeated key at any place and with any escapes', () => {
  assert.equal(find('{"a":1,"b":2,"a":3}'), 'a');
  assert.equal(find('[{"x":{"a":1,"\\u0061":2}}]'), 'a');
  assert.equal(find('{"a":{"a":1},"b":[{"a":1},{"a":2}]}'), undefined);
  assert.equal(find('{"é":1,"\\u00e9":2}'), 'é');
  assert.equal(find('{"__proto__":1,"__proto__":2}'), '__proto__');
  assert.equal(find(`{"a":"\\"","b":"{\\"b\\":1}\\\\","c":"${'x'.repeat(500)}\\"","b":1}`), 'b');
  const many = Array.from({ length: 100 }, (_, index) => `"k${index}":0`).join(',');
  assert.equal(find(`{${many}}`), undefined);
  assert.equal(find(`{${many},"k57":1}`), 'k57');
});

test('finds no repeated key in the output of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => find(text) === undefined),
    { numRuns: 500 },
  );
});

test('finds a member that is inserted twice', () => {
  const member = fc.tuple(fc.string({ maxLength: 80 }), fc.jsonValue({ maxDepth: 2 }));
  const members = fc.uniqueArray(member, { selector: ([name]) => name, minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(members, fc.nat(), fc.nat(), (list, keyIndex, where) => {
      const written = list.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
      const repeatedMember = written[keyIndex % written.length]!;
      const at = where % (written.length + 1);
      const text = `{${[...written.slice(0, at), repeatedMember, ...written.slice(at)].join(' , ')}}`;
      assert.equal(find(text), list[keyIndex % list.length]![0]);
    }),
    { numRuns: 500 },
  );
});

test('measures nesting and number up to the limits and rejects deep bodies before parsing', () => {
  const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  assert.equal(find(nested(MAX_DEPTH)), undefined);
  assert.equal(find(nested(MAX_DEPTH + 1)), 'too-deep');
  assert.equal(find(`{"a":${'{"a":'.repeat(MAX_DEPTH)}`), 'too-deep');
  assert.equal(find(`[${'[],'.repeat(10_000)}0]`), undefined);
  assert.equal(find(`[${'{},'.repeat(2_000_000)}0]`), 'too-many-values');
  assert.equal(find(`[${'1,'.repeat(8_000_001)}0]`), 'too-many-values');
  const decoded = decodeBody(Buffer.from(`{"a":${'['.repeat(5_000_000)}`));
  assert.ok(!decoded.ok);
  assert.match(decoded.problem.message, /nested deeper than 1000 levels/);
});

test('accepts text that is not JSON', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      inspectJson(Buffer.from(bytes));
    }),
    { numRuns: 500 },
  );
  const signs = fc.array(fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', 'a', '\\u00', '"a"'), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(signs, (parts) => {
      find(parts.join(''));
    }),
    { numRuns: 2_000 },
  );
});
