import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, test } from 'vitest';
import { brotliCompressSync } from 'node:zlib';
import { eventually } from '../../../../test/support/eventually.ts';
import { Cancelled } from '../count-body.ts';
import { BodyMemoryBudget } from '../endpoint/body-memory-budget.ts';
import { createPdf } from '../../../../test/support/pdf-bytes.ts';
import { type FetchProblem, getClientMessage } from './fetch-problem.ts';
import { PUBLIC_INTERNET } from './network.ts';
import { getOutcome, createFetcher, createGif, startUntrustedHost } from '../../../../test/support/untrusted-host.ts';

const MB = 1024 * 1024;
const at0 = (problem: FetchProblem): string => `messages.0.content.0.source.url: ${getClientMessage(problem)}`;
const send =
  (body: Uint8Array, headers: Record<string, string> = { 'content-type': 'image/gif' }) =>
  (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, headers).end(body);
  };

/** Writes raw bytes to the connection, bypassing the checks of `node:http`. */
const raw = (text: string, then?: (write: (text: string) => boolean) => void) => (request: IncomingMessage) => {
  const { socket } = request;
  socket.write(text, 'latin1');
  then?.((more) => !socket.destroyed && socket.write(more, 'latin1'));
};

describe('a file behind a URL', () => {
  test('is requested without any data of the client', async (t) => {
    const file = createGif(28, 28, 3 * MB + 17);
    const { network, requests } = await startUntrustedHost(t, send(file));
    const media = await createFetcher(network, ['http://files.test/a%20b.gif?c=d#e']);
    assert.ok(media.ok);
    assert.deepEqual(
      media.fetched.map(({ kind, urls }) => ({ kind, urls })),
      [{ kind: 'image', urls: ['http://files.test/a%20b.gif?c=d#e'] }],
    );
    assert.ok(file.equals(media.fetched[0]!.bytes));
    assert.deepEqual([requests[0]!.method, requests[0]!.url], ['GET', '/a%20b.gif?c=d']);
    assert.deepEqual(Object.keys(requests[0]!.headers).sort(), [
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    assert.equal(requests[0]!.headers.host, 'files.test');
  });

  test('is fetched once when several blocks or fragments use it', async (t) => {
    const { network, requests } = await startUntrustedHost(t, send(createGif(28, 28)));
    const media = await createFetcher(network, [
      'http://files.test/a',
      'http://FILES.test:80/a',
      'http://files.test/a#b',
      'http://files.test/other',
    ]);
    assert.ok(media.ok);
    assert.deepEqual(requests.map(({ url }) => url).sort(), ['/a', '/other']);
    assert.deepEqual(media.fetched.map(({ urls }) => urls.length).sort(), [1, 3]);
  });

  test('is rejected when its bytes or content type do not match the block', async (t) => {
    const { network } = await startUntrustedHost(t, (request, response) => {
      const [, body, ...type] = request.url!.split('/');
      const bytes = {
        gif: createGif(9, 9),
        pdf: createPdf([['a']]),
        html: Buffer.from('<!doctype html><p>hello'),
        tiny: Buffer.from('GIF89a'),
        none: Buffer.alloc(0),
      }[body!]!;
      response.writeHead(200, type[0] ? { 'content-type': type.join('/') } : {}).end(bytes);
    });
    const cases: [path: string, kind: 'image' | 'document', end: string][] = [
      ['gif/image/png', 'image', '1 fetched'],
      ['gif/IMAGE/GIF; charset=binary', 'image', '1 fetched'],
      ['gif/application/octet-stream', 'image', '1 fetched'],
      ['gif', 'image', '1 fetched'],
      ['gif/text/html', 'image', at0('wrong_type')],
      ['gif/image/svg+xml', 'image', at0('wrong_type')],
      ['gif/application/pdf', 'document', at0('wrong_type')],
      ['pdf/application/pdf', 'document', '1 fetched'],
      ['pdf', 'document', '1 fetched'],
      ['pdf', 'image', at0('wrong_type')],
      ['html/image/gif', 'image', at0('wrong_type')],
      ['html/application/pdf', 'document', at0('wrong_type')],
      ['tiny', 'image', at0('wrong_type')],
      ['none', 'document', at0('wrong_type')],
    ];
    for (const [path, kind, end] of cases)
      assert.equal(
        await getOutcome(createFetcher(network, [`http://files.test/${path}`], kind)),
        end,
        `${kind} ${path}`,
      );
  });

  test('is rejected when compressed or when the status is not 200', async (t) => {
    const { network } = await startUntrustedHost(t, (request, response) => {
      if (request.url === '/br')
        return send(brotliCompressSync(createGif(9, 9)), { 'content-encoding': 'br' })(request, response);
      response.writeHead(Number(request.url!.slice(1)), { 'content-type': 'image/gif' }).end(createGif(9, 9));
    });
    assert.equal(await getOutcome(createFetcher(network, ['http://files.test/br'])), at0('encoded'));
    for (const status of [201, 204, 206, 304, 400, 401, 403, 404, 500, 503])
      assert.equal(
        await getOutcome(createFetcher(network, [`http://files.test/${status}`])),
        at0('status'),
        String(status),
      );
  });
});

describe('targets that are not public', () => {
  test('return one message without a connection when private, unknown or closed', async (t) => {
    const { network, requests, open } = await startUntrustedHost(
      t,
      send(createGif(9, 9)),
      (name) => ({ 'private.test': ['0.0.0.0', '::ffff:127.0.0.1'], 'closed.test': ['127.0.0.1'] })[name] ?? [],
    );
    const closed = { ...network, port: () => 1 };
    const ends = [
      await getOutcome(createFetcher(network, ['http://private.test/a'])),
      await getOutcome(createFetcher(network, ['http://unknown.test/a'])),
      // These two would reach the server if they were connected.
      await getOutcome(createFetcher(network, ['http://0.0.0.0/a'])),
      await getOutcome(createFetcher(network, ['http://[::ffff:127.0.0.1]/a'])),
      await getOutcome(createFetcher(network, ['http://[::1]/a'])),
      await getOutcome(createFetcher(network, ['http://localhost/a'])),
      await getOutcome(createFetcher(closed, ['http://closed.test/a'])),
      // Plain text instead of a TLS handshake.
      await getOutcome(createFetcher(network, ['https://closed.test/a'])),
      await getOutcome(createFetcher(PUBLIC_INTERNET, ['http://127.0.0.1/a'])),
      await getOutcome(createFetcher(PUBLIC_INTERNET, ['https://2852039166/latest/meta-data'])),
      await getOutcome(createFetcher(PUBLIC_INTERNET, ['http://localhost./a'])),
    ];
    assert.deepEqual([...new Set(ends)], [at0('unreachable')]);
    assert.equal(requests.length, 0);
    assert.equal(open.size, 0);
  });

  test('connects only to the public address when a name also has a private one', async (t) => {
    const { network } = await startUntrustedHost(t, send(createGif(9, 9)), () => ['10.0.0.1', '127.0.0.1', '::1']);
    assert.equal(await getOutcome(createFetcher(network, ['http://both.test/a'])), '1 fetched');
  });

  test('connects to the checked address without a second lookup (DNS rebinding)', async (t) => {
    const answers = [['127.0.0.1'], ['0.0.0.0']];
    const host = await startUntrustedHost(t, send(createGif(9, 9)), () => answers.shift() ?? ['0.0.0.0']);
    assert.equal(await getOutcome(createFetcher(host.network, ['http://rebind.test/a'])), '1 fetched');
    assert.deepEqual(host.lookups, ['rebind.test']);
    assert.equal(host.requests.length, 1);
    // A second fetch repeats the lookup and checks the new addresses.
    assert.equal(await getOutcome(createFetcher(host.network, ['http://rebind.test/a'])), at0('not_public'));
    assert.equal(host.requests.length, 1);
  });
});

describe('redirects', () => {
  test('are followed at most three times', async (t) => {
    const { network, requests } = await startUntrustedHost(t, (request, response) => {
      const remainingRedirects = Number(request.url!.slice(1));
      if (remainingRedirects === 0) return send(createGif(9, 9))(request, response);
      response
        .writeHead([301, 302, 303, 307, 308][remainingRedirects % 5]!, {
          location: `/${remainingRedirects - 1}`,
          'set-cookie': 'a=b',
        })
        .end('moved');
    });
    assert.equal(await getOutcome(createFetcher(network, ['http://files.test/3'])), '1 fetched');
    assert.ok(requests.every(({ headers }) => headers.cookie === undefined && headers.referer === undefined));
    requests.length = 0;
    assert.equal(await getOutcome(createFetcher(network, ['http://files.test/9999'])), at0('redirects'));
    assert.equal(requests.length, 4);
  });

  test('are rejected when a hop breaks the rules of a first URL', async (t) => {
    const answers = [['127.0.0.1'], ['0.0.0.0']];
    const locations = [
      'http://0/',
      'http://[::ffff:127.0.0.1]/',
      'http://2852039166/',
      'http://private.test/',
      'http://localhost/',
      'http://files.test:22/',
      'ftp://files.test/',
      'https://a:b@files.test/',
    ];
    const createLocation = (path: string): { location?: string } => {
      const location = path === '/again' ? '/file' : locations[Number(path.slice(1))];
      return location === undefined ? {} : { location };
    };
    const { network, requests } = await startUntrustedHost(
      t,
      (request, response) => {
        response.writeHead(302, createLocation(request.url!)).end();
      },
      (name) => {
        if (name === 'turning.test') return answers.shift() ?? [];
        return name === 'private.test' ? ['0.0.0.0'] : ['127.0.0.1'];
      },
    );
    const ends = await Promise.all(
      locations.map((_, index) => getOutcome(createFetcher(network, [`http://files.test/${index}`]))),
    );
    assert.deepEqual(ends, [
      ...Array<string>(5).fill(at0('unreachable')),
      ...Array<string>(3).fill(at0('redirect_target')),
    ]);
    assert.equal(requests.length, locations.length, 'no second hop was dialled');
    assert.equal(
      await getOutcome(createFetcher(network, ['http://turning.test/again'])),
      at0('not_public'),
      'the same name, now private',
    );
    assert.equal(requests.length, locations.length + 1);
    assert.equal(
      await getOutcome(createFetcher(network, ['http://files.test/99'])),
      at0('status'),
      'without a location',
    );
  });
});

describe('malicious bodies', () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: image/gif\r\n';

  test('stop at the limit of their kind when they never end', async (t) => {
    let sent = 0;
    const { network, open } = await startUntrustedHost(t, (request, response) => {
      if (request.url === '/declared')
        return response
          .writeHead(200, { 'content-type': 'image/gif', 'content-length': String(8 * MB) })
          .flushHeaders();
      response.writeHead(200, { 'content-type': 'image/gif' }).write(createGif(9, 9));
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) sent += 64 * 1024;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    assert.equal(await getOutcome(createFetcher(network, ['http://files.test/declared'])), at0('too_large'));
    assert.equal(await getOutcome(createFetcher(network, ['http://files.test/endless'])), at0('too_large'));
    await eventually(() => open.size === 0);
    assert.ok(sent < 64 * MB);
  });

  test('stop at the timeout when they stall', { tags: ['slow'] }, async (t) => {
    const { network } = await startUntrustedHost(t, (request, response) => {
      if (request.url === '/silent') return;
      // Without a length, the end of the connection is the end of the file. The test checks that our own abort is not
      // mistaken for that end.
      const length = request.url === '/drip' ? { 'content-length': '64' } : { connection: 'close' };
      if (request.url === '/unmeasured') response.useChunkedEncodingByDefault = false;
      response.writeHead(200, { 'content-type': 'image/gif', ...length }).write(createGif(9, 9).subarray(0, 20));
      const timer = setInterval(() => response.write('.'), 200);
      response.on('close', () => clearInterval(timer));
    });
    const end = (path: string, limits: object) =>
      getOutcome(createFetcher(network, [`http://files.test/${path}`], 'image', { limits }));
    // Long enough for the response headers on a loaded machine, and well below the nine seconds of the slow bodies.
    const ends = await Promise.all([
      end('drip', { itemTime: 1_500 }),
      end('drip', { time: 1_500 }),
      end('unmeasured', { itemTime: 1_500 }),
      end('silent', { itemTime: 1_500 }),
    ]);
    assert.deepEqual(
      ends,
      [...Array<string>(3).fill(at0('too_slow')), at0('unreachable')],
      'a silent server counts as unreachable',
    );
  });

  test('are rejected when their length is wrong or the protocol is broken', async (t) => {
    const gif = createGif(9, 9).toString('latin1');
    const { network } = await startUntrustedHost(t, (request) => {
      const answers: Record<string, () => void> = {
        '/short': () => raw(`${head}content-length: 1000\r\n\r\n${gif}`, () => request.socket.end())(request),
        '/long': () => raw(`${head}content-length: 64\r\n\r\n${gif}${'x'.repeat(1000)}`)(request),
        '/two': () => raw(`${head}content-length: 64\r\ncontent-length: 65\r\n\r\n${gif}`)(request),
        '/both': () =>
          raw(`${head}content-length: 64\r\ntransfer-encoding: chunked\r\n\r\n40\r\n${gif}\r\n0\r\n\r\n`)(request),
        '/chunk': () => raw(`${head}transfer-encoding: chunked\r\n\r\n40\r\n${gif}\r\nzz\r\n`)(request),
        '/tiny': () =>
          raw(`${head}transfer-encoding: chunked\r\n\r\n40\r\n${gif}\r\n${'1\r\nx\r\n'.repeat(10_000)}0\r\n\r\n`)(
            request,
          ),
        '/headers': () => raw(`HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`)(request),
        '/many': () => raw(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`)(request),
        '/interim': () => raw('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000))(request),
        '/upgrade': () => raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')(request),
        '/noise': () => raw('SSH-2.0-OpenSSH_9.6\r\n')(request),
        '/gone': () => request.socket.destroy(),
      };
      answers[request.url!]!();
    });
    const expected: Record<string, string> = {
      short: at0('broken'),
      long: '1 fetched',
      chunk: at0('broken'),
      tiny: '1 fetched',
    };
    for (const path of ['two', 'both', 'headers', 'many', 'interim', 'upgrade', 'noise', 'gone'])
      expected[path] = at0('unreachable');
    for (const [path, end] of Object.entries(expected))
      assert.equal(await getOutcome(createFetcher(network, [`http://files.test/${path}`])), end, path);
  });
});

describe('one request', () => {
  test('rejects the 21st file by its path before any fetch', async (t) => {
    const { network, requests } = await startUntrustedHost(t, send(createGif(9, 9)));
    const urls = Array.from({ length: 21 }, (_, index) => `http://files.test/${index}`);
    assert.match(await getOutcome(createFetcher(network, urls)), /^messages\.0\.content\.20\.source\.url: At most 20 /);
    assert.match(
      await getOutcome(createFetcher(network, Array<string>(21).fill('http://files.test/same'))),
      /^messages\.0\.content\.20\./,
    );
    assert.equal(requests.length, 0);
    assert.equal(await getOutcome(createFetcher(network, urls.slice(1))), '20 fetched');
  });

  test('limits the total to 32 MB', async (t) => {
    const pdf = Buffer.concat([createPdf([['a']]), Buffer.alloc(12 * MB, 0x20)]);
    const { network } = await startUntrustedHost(t, send(pdf, { 'content-type': 'application/pdf' }));
    const names = ['http://files.test/1', 'http://files.test/2', 'http://files.test/3'];
    assert.equal(await getOutcome(createFetcher(network, names.slice(1), 'document')), '2 fetched');
    assert.match(
      await getOutcome(createFetcher(network, names, 'document')),
      new RegExp(`^messages\\.0\\.content\\.\\d\\.source\\.url: ${getClientMessage('all_too_large')}$`),
    );
  });

  test('fails as a whole when one file fails and aborts the others', async (t) => {
    const { network, open } = await startUntrustedHost(t, (request, response) => {
      if (request.url === '/bad') response.writeHead(404).end();
    });
    const end = getOutcome(
      createFetcher(network, ['http://files.test/hangs', 'http://files.test/hangs-too', 'http://files.test/bad']),
    );
    assert.equal(await end, `messages.0.content.2.source.url: ${getClientMessage('status')}`);
    await eventually(() => open.size === 0);
  });

  test('closes its connections and frees memory when the client disconnects', async (t) => {
    const { promise: firstBytesSent, resolve } = Promise.withResolvers<void>();
    const { network, open } = await startUntrustedHost(t, (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/gif' }).write(createGif(9, 9, 1000), () => resolve());
    });
    const abortController = new AbortController();
    const memory = new BodyMemoryBudget(2_000_000);
    const fetching = createFetcher(network, ['http://files.test/a'], 'image', { memory }, abortController.signal);
    await firstBytesSent;
    assert.equal(open.size, 1);
    abortController.abort();
    await assert.rejects(fetching, Cancelled);
    await eventually(() => open.size === 0);
    assert.equal(
      memory.createReservation('organisation').tryReserve(1_000_000),
      true,
      'its half of the budget is free',
    );
  });

  test('rejects URLs without a connection when fetching is off', async (t) => {
    const { network, lookups } = await startUntrustedHost(t, send(createGif(9, 9)));
    assert.match(
      await getOutcome(createFetcher(network, ['http://files.test/a'], 'image', { enabled: false })),
      /^messages\.0\.content\.0\.source\.url: fetching from URLs is switched off/,
    );
    assert.deepEqual(lookups, []);
  });
});
