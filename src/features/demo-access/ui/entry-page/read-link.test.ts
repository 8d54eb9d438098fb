import assert from 'node:assert/strict';
import { test } from 'vitest';
import { readLink } from './read-link.ts';

const ID = '5b1f8c1e-6f0a-4c55-9d2f-0b7d5a3c9e11';
const encode = (text: string): string => Buffer.from(text).toString('base64url');
const jwt = (payload: object): string => `${encode('{"alg":"RS256"}')}.${encode(JSON.stringify(payload))}.c2ln`;
const EXP = 1_795_000_000;
const ticket = jwt({ exp: EXP });
const code = encode(`${ID}.${ticket}`);
const expected = { ok: true, link: { invitationId: ID, ticket, expiresAt: new Date(EXP * 1000) } };
const malformed = { ok: false, reason: 'malformed' };

test('reads the invitation, the ticket and its deadline', () => {
  assert.deepEqual(readLink(`#code=${code}`), expected);
});

test('tolerates changes by messengers and browsers', () => {
  for (const fragment of [
    `#code=${code}==`,
    `#code%3D${code}`,
    `#code=${code}.`,
    `#code=${code})`,
    `#code=${code}>,`,
    `#code=${code}&utm_source=mail`,
    `#utm_source=mail&code=${code}`,
    `#CODE=${code}`,
    `#code%253D${code}`,
  ])
    assert.deepEqual(readLink(fragment), expected, fragment);
});

test('tolerates an encoded character after the code', () => {
  const suffixes = [
    '>',
    '"',
    '`',
    '”',
    '’',
    '»',
    '…',
    '\u200b',
    '\u00a0',
    '\ufeff',
    '>,',
    '".',
    '”)',
    '|',
    '*',
    '\\',
    '、',
  ];
  for (const characters of suffixes) {
    const encoded = encodeURIComponent(characters);
    for (const tail of [encoded, encoded.toLowerCase(), encodeURIComponent(encoded)])
      assert.deepEqual(readLink(`#code=${code}${tail}`), expected, tail);
  }
  assert.deepEqual(readLink(`#code=${code}%`), expected);
});

test('rejects a code in two pieces as malformed', () => {
  for (const separator of ['%0A', '%0D%0A', '%20', '=%0A', '.', '%250A'])
    assert.deepEqual(readLink(`#code=${code.slice(0, 90)}${separator}${code.slice(90)}`), malformed, separator);
});

test('finds no link in a URL without a code', () => {
  for (const fragment of ['', '#', '#main', '#token=abc', '#barcode=abc'])
    assert.deepEqual(readLink(fragment), { ok: false, reason: 'none' });
});

test('rejects a truncated or foreign code as malformed', () => {
  for (const wrong of [
    '',
    'x',
    '%%%',
    'päß',
    encode(ID),
    encode(`${ID}.`),
    encode(`${ID.slice(1)}.${ticket}`),
    encode(`${ID}x.${ticket}`),
    encode(`.${ticket}`),
    encode(`${ID}.two words`),
    encode(`${ID}.tick\u00e9t`),
    encode(`${ID}.${'a'.repeat(4097)}`),
    code.slice(0, 20),
  ])
    assert.deepEqual(readLink(`#code=${wrong}`), malformed, wrong);
});

test('accepts a ticket without a deadline', () => {
  for (const withoutExpiry of [
    'opaque',
    'a.b.c',
    jwt({}),
    jwt({ exp: 'soon' }),
    jwt({ exp: 1e300 }),
    `a.${encode('null')}.c`,
  ])
    assert.deepEqual(readLink(`#code=${encode(`${ID}.${withoutExpiry}`)}`), {
      ok: true,
      link: { invitationId: ID, ticket: withoutExpiry, expiresAt: null },
    });
});
