import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'vitest';
import { MAX_FRAGMENT_LENGTH, readLink, type SharedRequest, writeLink } from './fragment-link.ts';

const PAGE = 'https://tally.example/developers/playground';

const shared: SharedRequest = {
  text: '{\n  "model": "claude-sonnet-5",\n  "messages": [{ "role": "user", "content": "Olá, 世界 😀" }]\n}',
  otherModels: ['claude-opus-4-7'],
  files: [['[photo.png, 12 B]', 'iVBORw0KGgo=']],
};

/** Returns base64 digits that do not compress to less than three quarters. */
const createNoise = (length: number): string => randomBytes(length).toString('base64').slice(0, length);

async function writeFragment(content: SharedRequest): Promise<string> {
  const link = await writeLink(PAGE, content);
  assert.ok(link.ok);
  return new URL(link.url).hash;
}

test('returns the same request when a link is read', async () => {
  assert.deepEqual(await readLink(await writeFragment(shared)), { ok: true, shared });
});

test('rejects every damaged link', async () => {
  const fragment = await writeFragment(shared);
  for (let at = '#request=1.'.length; at < fragment.length; at += 3) {
    const replacement = fragment[at] === 'A' ? 'Q' : 'A';
    const damaged = fragment.slice(0, at) + replacement + fragment.slice(at + 1);
    const result = await readLink(damaged);
    // The last digit of base64 may have bits without a meaning.
    if (result.ok) assert.deepEqual([at, result.shared], [fragment.length - 1, shared]);
    assert.deepEqual(await readLink(fragment.slice(0, at)), { ok: false }, `cut at ${at}`);
  }
});

test('rejects a link of another version or with other content', async () => {
  const fragment = await writeFragment(shared);
  assert.deepEqual(await readLink(fragment.replace('=1.', '=2.')), { ok: false });
  for (const content of [null, 'text', { ...shared, text: 1 }, { ...shared, files: [['a']] }, { text: 'a' }])
    assert.deepEqual(await readLink(await writeFragment(content as SharedRequest)), { ok: false });
});

test('rejects a link that decompresses to more than 8 MB', async () => {
  assert.deepEqual(await readLink(await writeFragment({ ...shared, text: ' '.repeat(9_000_000) })), { ok: false });
});

test('omits all files when the link exceeds its limit with them', async () => {
  const large: SharedRequest = { ...shared, files: [['[a.png, 60 kB]', createNoise(80_000)]] };
  const link = await writeLink(PAGE, large);
  assert.ok(link.ok);
  assert.deepEqual(link.omittedFiles, ['[a.png, 60 kB]']);
  assert.deepEqual(await readLink(new URL(link.url).hash), { ok: true, shared: { ...large, files: [] } });
});

test('returns the length when the text alone exceeds the limit', async () => {
  const link = await writeLink(PAGE, { ...shared, text: createNoise(80_000) });
  assert.equal(link.ok, false);
  assert.ok(!link.ok && link.length > MAX_FRAGMENT_LENGTH);
});
