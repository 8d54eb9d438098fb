import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'vitest';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createTestHttpApp } from '../../../test/support/http-app.ts';
import { readWebApp } from './web-app.ts';

const PAGE = `<!doctype html><title>Home</title>${'<p>text</p>'.repeat(400)}`;

async function writeWebApp(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'tally-web-'));
  t.onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'pages/home'), { recursive: true });
  await mkdir(join(root, 'pages/manual'));
  await mkdir(join(root, 'assets'));
  for (const name of ['index.html', 'pages/home/index.html', 'pages/manual/index.html', 'assets/app-1a2b.js']) {
    const file = join(root, name);
    await writeFile(file, PAGE);
    await writeFile(`${file}.br`, brotliCompressSync(PAGE));
    await writeFile(`${file}.gz`, gzipSync(PAGE));
  }
  await writeFile(join(root, 'favicon.svg'), '<svg/>');
  return root;
}

const read = (root: string) =>
  readWebApp({
    root,
    pages: ['/home'],
    standalonePages: ['/manual'],
    pagesWithSubpath: [],
    frontendApiUrl: 'http://identity.example',
    baseUrl: 'https://tally.example/',
  });

/** Serves a web app until the test ends, and returns its URL. */
async function serve(t: TestContext): Promise<string> {
  const root = await writeWebApp(t);
  const web = await read(root);
  // Files are sent from memory.
  await rm(root, { recursive: true });
  const app = await createTestHttpApp({ bodyLimit: 1_000 });
  await web!.register(app);
  t.onTestFinished(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

test('sends the form of a document that the build compressed', async (t) => {
  const url = `${await serve(t)}/home`;
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

test('sends a file with its type and compressed form when the build wrote it', async (t) => {
  const url = await serve(t);
  const script = await fetch(`${url}/assets/app-1a2b.js`, { headers: { 'accept-encoding': 'br' } });
  assert.equal(await script.text(), PAGE);
  assert.deepEqual(
    ['content-type', 'content-encoding', 'cache-control'].map((name) => script.headers.get(name)),
    ['text/javascript; charset=utf-8', 'br', 'public, max-age=31536000, immutable'],
  );
  const icon = await fetch(`${url}/favicon.svg`);
  assert.equal(await icon.text(), '<svg/>');
  assert.deepEqual(
    ['content-type', 'cache-control'].map((name) => icon.headers.get(name)),
    ['image/svg+xml', 'public, max-age=3600'],
  );
  for (const path of ['/assets/app-1a2b.js.br', '/assets/%2e%2e/index.html', '/assets/', '/assets/missing.js'])
    assert.equal((await fetch(`${url}${path}`)).status, 404, path);
  assert.equal((await fetch(`${url}/favicon.svg`, { method: 'HEAD' })).headers.get('content-length'), '6');
});

test('rejects a build with a file of an unknown type', async (t) => {
  const root = await writeWebApp(t);
  await writeFile(join(root, 'assets/film.mkv'), '');
  await assert.rejects(read(root), /film\.mkv has no content type/);
});
