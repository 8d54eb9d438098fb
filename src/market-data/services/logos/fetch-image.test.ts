import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type FakeResponse, type Fault, faults, startFaultyServer } from '../../../../test/fakes/faulty-server.ts';
import { GIF, JPEG, PNG, WEBP } from '../../../../test/fakes/images.ts';
import { fetchImage } from './fetch-image.ts';

test('accepts only small raster images by their bytes, whatever the content type', async (t) => {
  let answer: FakeResponse = { body: '' };
  const server = await startFaultyServer(() => answer);
  t.onTestFinished(() => server.close());
  const fetched = (headers: Record<string, string>, body: string | Buffer) => {
    answer = { headers, body };
    return fetchImage(`${server.url}/a`, new Set([server.url]), 5_000);
  };
  for (const [bytes, mediaType] of [
    [PNG, 'image/png'],
    [JPEG, 'image/jpeg'],
    [GIF, 'image/gif'],
    [WEBP, 'image/webp'],
  ] as const) {
    assert.deepEqual(await fetched({ 'content-type': 'text/html' }, bytes), { bytes, mediaType });
  }
  for (const body of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<html>', '', 'GIF8', '\x00\x00\x01\x00']) {
    assert.equal(await fetched({ 'content-type': 'image/png' }, body), undefined, body);
  }
  const large = Buffer.concat([PNG, Buffer.alloc(100 * 1_024 - PNG.length)]);
  assert.equal((await fetched({}, large))?.bytes.length, 102_400);
  assert.equal(await fetched({}, Buffer.concat([large, Buffer.alloc(1)])), undefined);
});

test('returns undefined without throwing when the server fails', async (t) => {
  const server = await startFaultyServer(() => ({ body: PNG }));
  t.onTestFinished(() => server.close());
  for (const fault of Object.keys(faults) as Fault[]) {
    server.failWith(fault);
    assert.equal(await fetchImage(`${server.url}/a`, new Set([server.url]), 300), undefined, fault);
  }
  assert.deepEqual(server.redirectedRequests, [], 'no redirect is followed');
});

test('fetches only from the hosts of the providers', async (t) => {
  const server = await startFaultyServer(() => ({ body: PNG }));
  t.onTestFinished(() => server.close());
  const { host } = new URL(server.url);
  const origins = new Set(['https://images.example', `https://${host}`]);
  for (const address of [
    server.url,
    `http://images.example@${host}/a`,
    `https://images.example.evil.test/a`,
    'http://images.example/a',
    'https://images.example:444/a',
    'https://me:pw@images.example/a',
    'file:///etc/passwd',
    'data:image/png;base64,AA',
    'no address',
  ]) {
    assert.equal(await fetchImage(address, origins, 300), undefined, address);
  }
  assert.equal(server.requests.length, 0);
});
