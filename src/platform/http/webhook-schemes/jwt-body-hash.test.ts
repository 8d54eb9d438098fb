import assert from 'node:assert/strict';
import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import { test } from 'vitest';
import { checkWebhook } from '../signed-webhook.ts';
import { createJwtBodyHashScheme, type JwtBodyHashOptions, type SigningKey } from './jwt-body-hash.ts';

const NOW = 1_790_000_000;
const BODY = '{\n  "webhook_type": "ITEM",\n  "item_id": "1"\n}';
const HEADER = 'plaid-verification';

const pairs = {
  mine: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  other: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
};
const toJwk = (key: KeyObject): SigningKey => key.export({ format: 'jwk' });

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Creates a token with node:crypto only: `r` and `s` are concatenated, as JWS requires for ECDSA. */
function createToken(
  claims: object = {},
  header: object = {},
  key: KeyObject = pairs.mine.privateKey,
  encoding: 'ieee-p1363' | 'der' = 'ieee-p1363',
): string {
  const allClaims = { iat: NOW, request_body_sha256: sha256(BODY), ...claims };
  const signed = `${encode({ alg: 'ES256', kid: 'kid_1', typ: 'JWT', ...header })}.${encode(allClaims)}`;
  return `${signed}.${signBytes('sha256', Buffer.from(signed), { key, dsaEncoding: encoding }).toString('base64url')}`;
}

/** Creates a sender that publishes one key and counts the requests for it. */
function startSender(options: Partial<JwtBodyHashOptions> = {}, published: Record<string, SigningKey> = {}) {
  const keys: Record<string, SigningKey> = {
    kid_1: { ...toJwk(pairs.mine.publicKey), expired_at: null },
    ...published,
  };
  const fetched: string[] = [];
  const sender = { fetched, keys, isUnavailable: false };
  const scheme = createJwtBodyHashScheme({
    header: HEADER,
    findKey: async (kid) => {
      fetched.push(kid);
      if (sender.isUnavailable) throw new Error('The sender is unavailable.');
      return keys[kid];
    },
    ...options,
  });
  const check = (token: string | string[] | undefined, body = BODY, now = NOW) =>
    checkWebhook(scheme, { past: 300, future: 300 }, { headers: { [HEADER]: token }, body: Buffer.from(body) }, now);
  return Object.assign(sender, { check });
}

test('fetches the sender’s key once for concurrent deliveries and again after an hour', async () => {
  let clock = 0;
  const sender = startSender({ clock: () => clock });
  const answers = await Promise.all([1, 2, 3].map(() => sender.check(createToken())));
  assert.ok(answers.every(({ ok }) => ok));
  assert.equal((await sender.check(createToken())).ok, true);
  assert.deepEqual(sender.fetched, ['kid_1']);
  sender.keys.kid_1 = { ...sender.keys.kid_1!, expired_at: NOW - 1 };
  assert.equal((await sender.check(createToken())).ok, true, 'no new request yet');
  clock = 3_600_000;
  assert.equal((await sender.check(createToken())).ok, false, 'the key has been revoked');
  assert.deepEqual(sender.fetched, ['kid_1', 'kid_1']);
});

test('finds each key by its id during a rotation', async () => {
  const sender = startSender({}, { kid_2: { ...toJwk(pairs.other.publicKey), expired_at: NOW + 60 } });
  assert.equal((await sender.check(createToken())).ok, true);
  assert.equal((await sender.check(createToken({}, { kid: 'kid_2' }, pairs.other.privateKey))).ok, true);
  assert.equal((await sender.check(createToken({}, { kid: 'kid_2' }))).ok, false, 'signed with the other key');
  assert.equal((await sender.check(createToken())).ok, true);
  assert.deepEqual(sender.fetched, ['kid_1', 'kid_2']);
});

test('limits key requests when the key server is unavailable', async () => {
  let clock = 0;
  const sender = startSender({ clock: () => clock, maxKeyRequestsPerMinute: 3 });
  sender.isUnavailable = true;
  assert.deepEqual(await sender.check(createToken()), { ok: false, reason: 'unavailable' });
  sender.isUnavailable = false;
  for (const kid of ['a', 'b']) assert.equal((await sender.check(createToken({}, { kid }))).ok, false);
  assert.deepEqual(await sender.check(createToken({}, { kid: 'c' })), { ok: false, reason: 'unavailable' });
  assert.equal(sender.fetched.length, 3);
  clock = 60_000;
  assert.equal((await sender.check(createToken())).ok, true, 'allowed in the next minute');
});

test('accepts times up to five minutes before and after ours', async () => {
  const sender = startSender();
  for (const [iat, ok] of [
    [NOW - 300, true],
    [NOW + 300, true],
    [NOW - 301, false],
    [NOW + 301, false],
  ] as const)
    assert.equal((await sender.check(createToken({ iat }))).ok, ok, String(iat - NOW));
});

test('returns the same id for a redelivery in any spelling of its signature', async () => {
  const sender = startSender();
  const [one, two] = await Promise.all([sender.check(createToken()), sender.check(createToken())]);
  const later = await sender.check(createToken({ iat: NOW + 1 }));
  assert.ok(one.ok && two.ok && later.ok);
  assert.equal(one.id, two.id, 'two signatures of the same claims');
  assert.notEqual(one.id, later.id);
});

const validToken = createToken();
const [header, claims, signature] = validToken.split('.') as [string, string, string];

/** Returns a token that uses the public key as the secret of a symmetric signature. */
function createSymmetricToken(): string {
  const signed = `${encode({ alg: 'HS256', kid: 'kid_1' })}.${claims}`;
  const publicPem = pairs.mine.publicKey.export({ format: 'pem', type: 'spki' });
  return `${signed}.${createHmac('sha256', publicPem).update(signed).digest('base64url')}`;
}

/** Keys of the sender besides `kid_1`, none of which may be used. */
const unusableKeys: Record<string, SigningKey> = {
  expired: { ...toJwk(pairs.mine.publicKey), expired_at: NOW - 1 },
  rsa: toJwk(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey),
  private: toJwk(pairs.mine.privateKey),
  p384: toJwk(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey),
};

const invalidTokens: Record<string, string | string[] | undefined> = {
  'no header': undefined,
  'an empty header': '',
  'two headers': [validToken, validToken],
  'no token': 'token',
  'two parts': `${header}.${claims}`,
  'no signature': `${header}.${claims}.`,
  'a truncated signature': validToken.slice(0, -4),
  'four parts': `${validToken}.${signature}`,
  'another key': createToken({}, {}, pairs.other.privateKey),
  'a DER signature': createToken({}, {}, pairs.mine.privateKey, 'der'),
  'no algorithm': `${encode({ alg: 'none', kid: 'kid_1' })}.${claims}.`,
  'the public key as a password': createSymmetricToken(),
  'another algorithm in the header': `${encode({ alg: 'ES384', kid: 'kid_1' })}.${claims}.${signature}`,
  'no key id': createToken({}, { kid: undefined }),
  'a key id that is none': createToken({}, { kid: '../kid_1' }),
  'a key id that is a number': createToken({}, { kid: 1 }),
  'a key that the sender does not know': createToken({}, { kid: 'unknown' }),
  'a key that has expired': createToken({}, { kid: 'expired' }),
  'a key of another kind': createToken({}, { kid: 'rsa' }),
  'a private key': createToken({}, { kid: 'private' }),
  'a key on another curve': createToken({}, { kid: 'p384' }),
  'its own key in the header': createToken({}, { kid: 'unknown', jwk: toJwk(pairs.mine.publicKey) }),
  'a critical extension': createToken({}, { crit: ['exp'], exp: NOW + 60 }),
  'no time': createToken({ iat: undefined }),
  'a time in words': createToken({ iat: String(NOW) }),
  'a time with a fraction': createToken({ iat: NOW + 0.5 }),
  'no hash': createToken({ request_body_sha256: undefined }),
  'an empty hash': createToken({ request_body_sha256: '' }),
  'the hash of another body': createToken({ request_body_sha256: sha256(`${BODY} `) }),
  'the hash in capital letters': createToken({ request_body_sha256: sha256(BODY).toUpperCase() }),
  'a truncated hash': createToken({ request_body_sha256: sha256(BODY).slice(0, 32) }),
  'claims of another token': `${header}.${encode({ iat: NOW, request_body_sha256: sha256('{}') })}.${signature}`,
  'a token of many kilobytes': createToken({ pad: 'x'.repeat(10_000) }),
};

test.each(Object.entries(invalidTokens))('rejects a delivery with %s', async (_description, token) => {
  const sender = startSender({ maxKeyRequestsPerMinute: 1_000 }, unusableKeys);

  assert.equal((await sender.check(token)).ok, false);
  assert.equal((await sender.check(validToken)).ok, true, 'a valid delivery is still accepted');
});

test.each([
  ['one more byte', `${BODY} `],
  ['the same JSON in other bytes', JSON.stringify(JSON.parse(BODY))],
  ['no bytes', ''],
])('rejects a delivery whose body has %s', async (_description, body) => {
  const sender = startSender();

  assert.equal((await sender.check(validToken, body)).ok, false);
});
