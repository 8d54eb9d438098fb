import assert from 'node:assert/strict';
import { test, vi } from 'vitest';
import { generateKeyPair, SignJWT } from 'jose';
import { checkSessionToken, type TokenRules } from './session-token.ts';

const NOW = Date.parse('2026-03-02T15:00:00Z');

/** Returns a token that is valid for a minute, and rules that count the key look-ups. */
async function signed(claims: Record<string, unknown> = {}) {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  let verified = 0;
  const rules = (): TokenRules => ({
    keys: async () => {
      verified += 1;
      return publicKey;
    },
    issuer: 'https://issuer.example',
    authorizedParties: new Set(['https://site.example']),
  });
  const token = await new SignJWT({
    sub: 'user_1',
    sid: 'sess_1',
    azp: 'https://site.example',
    iss: 'https://issuer.example',
    iat: NOW / 1000,
    exp: NOW / 1000 + 60,
    ...claims,
  })
    .setProtectedHeader({ alg: 'RS256', cat: 'cl_B7d4PD111AAA' })
    .sign(privateKey);
  return { token, rules, verified: () => verified };
}

test('verifies a valid token once for equal rules until its end', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  const { token, rules, verified } = await signed();
  const ourRules = rules();
  for (let i = 0; i < 3; i += 1)
    assert.deepEqual(await checkSessionToken(token, ourRules), {
      ok: true,
      claims: { sub: 'user_1', sid: 'sess_1', verifiedAt: null },
    });
  assert.equal(verified(), 1);
  assert.equal((await checkSessionToken(token, rules())).ok, true);
  assert.equal(verified(), 2, 'other rules look for themselves');
  vi.setSystemTime(NOW + 64_000);
  assert.equal((await checkSessionToken(token, ourRules)).ok, true, 'clocks may differ by five seconds');
  vi.setSystemTime(NOW + 65_000);
  assert.deepEqual(await checkSessionToken(token, ourRules), { ok: false, reason: 'invalid' });
  assert.equal(verified(), 3);
});

test('reads the time of the last verification from a token that names it', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  const read = async (fva: unknown) => {
    const { token, rules } = await signed({ fva });
    const check = await checkSessionToken(token, rules());
    return check.ok && check.claims.verifiedAt;
  };
  assert.equal(await read([0, -1]), NOW / 1000);
  assert.equal(await read([11, 3]), NOW / 1000 - 660);
  for (const unknown of [[-1, -1], [], ['0', '0'], '0', null]) assert.equal(await read(unknown), null);
});

test('verifies a rejected token each time', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  const { token, rules, verified } = await signed({ azp: 'https://elsewhere.example' });
  const ourRules = rules();
  for (let i = 0; i < 2; i += 1)
    assert.deepEqual(await checkSessionToken(token, ourRules), { ok: false, reason: 'invalid' });
  assert.equal(verified(), 2);
  const otherIssuer = await signed();
  const otherRules = otherIssuer.rules();
  assert.equal((await checkSessionToken(otherIssuer.token, otherRules)).ok, true);
  const forged = otherIssuer.token.slice(0, -2) + (otherIssuer.token.endsWith('AA') ? 'BB' : 'AA');
  assert.deepEqual(await checkSessionToken(forged, otherRules), { ok: false, reason: 'invalid' });
});
