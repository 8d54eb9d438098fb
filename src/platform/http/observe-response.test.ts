import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createLogger } from './logger.ts';
import { createResponseObserver, createRequestLineWriter } from './observe-response.ts';

function createTestLogger(level: 'info' | 'warn'): { logger: ReturnType<typeof createLogger>; lines: string[] } {
  const lines: string[] = [];
  return {
    logger: createLogger(level, {
      write: (line) => {
        lines.push(line);
      },
    }),
    lines,
  };
}

const withoutTime = (line: string | undefined): string =>
  (line ?? '').replace(/"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/, '"time"');

test('writes the same request line as the logger for any path', () => {
  const { logger, lines } = createTestLogger('info');
  const write = createRequestLineWriter(logger);
  for (const path of ['/v1/messages/count_tokens', '/v1/"\\\n\u2028\ud800', '/v1/ünï']) {
    const fields = { reqId: 'req_1', method: 'POST', path, status: 404, ms: 0.3 };
    write('info', fields);
    logger.info(fields, 'request');
    const [fastLine, pinoLine] = lines.splice(0);
    assert.equal(withoutTime(fastLine), withoutTime(pinoLine));
    assert.equal((JSON.parse(fastLine!) as { path: string }).path, (JSON.parse(pinoLine!) as { path: string }).path);
  }
});

test('writes no line when the log level is higher', () => {
  const { logger, lines } = createTestLogger('warn');
  createRequestLineWriter(logger)('info', { reqId: 'req_1', method: 'GET', path: '/v1', status: 200, ms: 1 });
  assert.deepEqual(lines, []);
});

test('redacts a path segment when it may contain a secret', () => {
  const { logger, lines } = createTestLogger('info');
  const observe = createResponseObserver(logger, { observe: () => {} });
  const answered = { id: 'req_1', method: 'GET', status: 404, milliseconds: 1, response: {} as never };
  const longSegment = 'a'.repeat(65);
  for (const [route, path, expectedPath] of [
    ['unmatched', '/x/demo-access%23code=SECRET/y', '/x/…/y'],
    ['unmatched', '/code=SECRET', '/…'],
    ['unmatched', `/${longSegment}/image.png`, '/…/image.png'],
    ['unmatched', '/wp-login.php', '/wp-login.php'],
    ['/api/internal/demo-access/:id', `/api/internal/demo-access/${longSegment}`, '/api/internal/demo-access/…'],
    ['/api/tickers/:symbol', '/api/tickers/BTC%2FUSD', '/api/tickers/BTC%2FUSD'],
  ] as const) {
    observe({ ...answered, route, path });
    assert.equal((JSON.parse(lines.pop()!) as { path: string }).path, expectedPath);
  }
});

test('logs the route pattern when the path contains a token', () => {
  const { logger, lines } = createTestLogger('info');
  const observe = createResponseObserver(logger, { observe: () => {} });
  const answered = { id: 'req_1', method: 'GET', status: 200, milliseconds: 1, response: {} as never };
  observe({ ...answered, route: '/_bank/link/:token', path: '/_bank/link/link-sandbox-1' });
  observe({ ...answered, route: '/api/logos/:file', path: '/api/logos/a.png' });
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { path: string }).path),
    ['/_bank/link/:token', '/api/logos/a.png'],
  );
});

test('logs requests of balancers and monitoring at debug', () => {
  const { logger, lines } = createTestLogger('info');
  const observe = createResponseObserver(logger, { observe: () => {} });
  for (const route of ['/healthz', '/readyz', '/metrics', '/api/me'])
    observe({ id: 'req_1', method: 'GET', route, path: route, status: 200, milliseconds: 1, response: {} as never });
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { path: string }).path),
    ['/api/me'],
  );
});
