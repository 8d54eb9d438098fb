import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'vitest';
import { startCountServer } from '../../../../test/support/count-server.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { createPdf } from '../../../../test/support/pdf-bytes.ts';
import { createGif, startUntrustedHost, type UntrustedHost } from '../../../../test/support/untrusted-host.ts';

const TEXT = { type: 'text', text: 'What is this?' };
const byUrl = (type: string, path: string) => ({ type, source: { type: 'url', url: `http://files.test${path}` } });
const inline = (type: string, bytes: Uint8Array) => ({
  type,
  source: {
    type: 'base64',
    media_type: type === 'image' ? 'image/gif' : 'application/pdf',
    data: Buffer.from(bytes).toString('base64'),
  },
});

const FILES: Record<string, Buffer> = {
  '/a.gif': createGif(640, 480),
  '/wide.gif': createGif(8001, 9),
  '/2500.gif': createGif(2500, 9),
  '/broken.png': Buffer.from('\x89PNG\r\n\x1a\n and then nothing of it', 'latin1'),
  '/a.pdf': Buffer.from(createPdf([['Hello page'], ['Another page']])),
  '/broken.pdf': Buffer.from('%PDF-1.4 and no more'),
};

interface ApiResponse {
  status: number;
  input_tokens?: number;
  error?: { type: string; message: string };
}

async function start(t: TestContext, options: { workers?: number; fetchUrls?: boolean } = {}) {
  const host: UntrustedHost = await startUntrustedHost(t, (request, response) => {
    const file = FILES[request.url!.split('?')[0]!];
    if (request.url === '/hangs') return;
    if (request.url === '/inward') {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
      return;
    }
    response.writeHead(file ? 200 : 404).end(file);
  });
  const server = await startCountServer({ fetchUrls: true, urlNetwork: host.network, ...options }, t);
  const call = (content: unknown, signal?: AbortSignal) =>
    server.post({ model: 'claude-sonnet-4-5', messages: [{ role: 'user', content }] }, signal && { signal });
  const count = async (content: unknown): Promise<ApiResponse> => {
    const response = await call(content);
    return { status: response.status, ...((await response.json()) as object) };
  };
  return { host, server, call, count };
}

for (const workers of [0, 1]) {
  describe(`counting with ${workers} threads`, () => {
    test('counts a fetched file like an inline one', { tags: ['slow'] }, async (t) => {
      const { count, host, server } = await start(t, { workers });
      const long = { type: 'text', text: 'word '.repeat(70_000) };
      for (const wrap of [
        (block: unknown) => [block],
        (block: unknown) => [TEXT, block, TEXT],
        (block: unknown) => [block, long],
        (block: unknown) => [block, block],
      ]) {
        for (const [type, path] of [
          ['image', '/a.gif'],
          ['document', '/a.pdf'],
        ] as const) {
          const sent = await count(wrap(inline(type, FILES[path]!)));
          const fetched = await count(wrap(byUrl(type, path)));
          assert.equal(sent.status, 200, sent.error?.message);
          assert.deepEqual(fetched, sent, path);
        }
      }
      assert.equal(host.requests.length, 8, 'each file once a request');
      const nested = (image: unknown) => [{ type: 'document', source: { type: 'content', content: [TEXT, image] } }];
      assert.deepEqual(
        await count(nested(byUrl('image', '/a.gif'))),
        await count(nested(inline('image', FILES['/a.gif']!))),
      );
      const unpaired = [{ type: 'tool_result', tool_use_id: 'x', content: [byUrl('image', '/a.gif')] }];
      assert.match((await count(unpaired)).error!.message, /tool_use_id/, 'the other rules come first');
      assert.match(await server.readMetrics(), /tally_token_count_url_fetches_total\{outcome="fetched"\} 9/);
    });

    test('returns a problem of the file with the path of its URL', { tags: ['slow'] }, async (t) => {
      const { count } = await start(t, { workers });
      const urlPath = 'messages.0.content.1.source.url: ';
      const messages: [block: unknown, message: string][] = [
        [
          byUrl('image', '/wide.gif'),
          `${urlPath}At least one of the image dimensions exceed max allowed size: 8000 pixels`,
        ],
        [byUrl('image', '/broken.png'), `${urlPath}Could not process image`],
        [byUrl('document', '/broken.pdf'), `${urlPath}The PDF specified was not valid.`],
        [byUrl('image', '/missing'), `${urlPath}The server of the URL did not return the file with status 200`],
        [byUrl('image', '/inward'), `${urlPath}Unable to download the file. Please verify the URL and try again.`],
        [
          { type: 'image', source: { type: 'url', url: 'http://[::ffff:127.0.0.1]:3000/' } },
          `${urlPath}Only the standard ports of http and https are fetched`,
        ],
      ];
      for (const [block, message] of messages) {
        assert.deepEqual(await count([TEXT, block]).then(({ status, error }) => ({ status, error })), {
          status: 400,
          error: { type: 'invalid_request_error', message },
        });
      }
      const many = Array.from({ length: 21 }, () => inline('image', createGif(9, 9)));
      assert.match(
        (await count([...many, byUrl('image', '/2500.gif')])).error!.message,
        /^messages\.0\.content\.21\.source\.url: .* many-image requests: 2000 pixels$/,
      );
    });
  });
}

test('rejects a block by path without a connection when fetching is off', async (t) => {
  const { count, host } = await start(t, { fetchUrls: false });
  const response = await count([TEXT, byUrl('image', '/a.gif')]);
  assert.equal(response.status, 400);
  assert.match(response.error!.message, /^messages\.0\.content\.1\.source\.url: fetching from URLs is switched off/);
  assert.deepEqual([host.requests.length, host.lookups.length], [0, 0]);
});

test('rejects the seventh concurrent fetching request and counts others', { tags: ['slow'] }, async (t) => {
  const { call, count, host } = await start(t);
  const large = { type: 'text', text: 'word '.repeat(70_000) };
  assert.equal((await count([large])).status, 200, 'starts the counting thread');
  const abortController = new AbortController();
  const hanging = Array.from({ length: 6 }, () =>
    call([byUrl('image', '/hangs')], abortController.signal).catch(() => 'gone'),
  );
  await eventually(() => host.requests.length >= 6);
  assert.equal(host.requests.length, 6);
  const seventh = await call([byUrl('image', '/a.gif')]);
  assert.equal(seventh.status, 429);
  assert.ok(Number(seventh.headers.get('retry-after')) >= 1);
  assert.equal(((await seventh.json()) as ApiResponse).error?.type, 'rate_limit_error');
  assert.equal((await count([TEXT])).status, 200);
  assert.equal((await count([large])).status, 200, 'the one counting thread is free');
  abortController.abort();
  assert.deepEqual(await Promise.all(hanging), Array<string>(6).fill('gone'));
  // The connections close when the client disconnects.
  await eventually(() => host.open.size === 0);
  assert.equal((await count([byUrl('image', '/a.gif')])).status, 200);
});
