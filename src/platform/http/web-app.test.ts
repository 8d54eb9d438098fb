import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createTestHttpApp } from '../../../test/support/http-app.ts';
import { readWebApp } from './web-app.ts';

const PAGE = `<!doctype html><title>Home</title>${'<p>text</p>'.repeat(400)}`;

test('sends the form of a document that the build compressed', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'tally-web-'));
  t.onTestFinished(() => rm(root, { recursive: true }));
  await mkdir(join(root, 'pages/home'), { recursive: true });
  for (const folder of ['', 'pages/home']) {
    const file = join(root, folder, 'index.html');
    await writeFile(file, PAGE);
    await writeFile(`${file}.br`, brotliCompressSync(PAGE));
    await writeFile(`${file}.gz`, gzipSync(PAGE));
  }
  const web = await readWebApp({
    root,
    pages: ['/home'],
    pagesWithSubpath: [],
    frontendApiUrl: 'http://identity.example',
  });
  const app = await createTestHttpApp({ bodyLimit: 1_000 });
  await web!.register(app);
  t.onTestFinished(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/home`;
  const seen = [];
  for (const accepted of ['gzip, br', 'gzip', 'br;q=0, gzip', 'identity', 'zstd']) {
    const response = await fetch(url, { headers: { 'accept-encoding': accepted } });
    assert.equal(await response.text(), PAGE);
    seen.push([response.headers.get('content-encoding'), response.headers.get('vary')]);
    const etag = response.headers.get('etag')!;
    assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304, accepted);
  }
  assert.deepEqual(seen, [
    ['br', 'accept-encoding'],
    ['gzip', 'accept-encoding'],
    ['gzip', 'accept-encoding'],
    [null, 'accept-encoding'],
    [null, 'accept-encoding'],
  ]);
});
