// Runs in its own process, since Vite sets NODE_ENV when it builds.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { buildEntryPage } from '../../tools/build-web/entry-page.ts';
import { getEntryPageHeaders } from '../../src/features/demo-access/entry-page.ts';
import { launchOptions } from '../support/open-browser.ts';

const CODE = Buffer.from('5b1f8c1e-6f0a-4c55-9d2f-0b7d5a3c9e11.a-ticket').toString('base64url');
const RULES = { prerender: [{ source: 'list', urls: [`/demo-access#code=${CODE}`], eagerness: 'immediate' }] };
const MESSAGE =
  '<!doctype html><title>A message</title>' + `<script type="speculationrules">${JSON.stringify(RULES)}</script>`;
/** Reports the page's state after its load event. All other requests have been sent by then. */
const PROBE = `addEventListener('load', () => setTimeout(() => fetch('/told?' + new URLSearchParams({
  ahead: document.prerendering, state: document.querySelector('main').dataset.state, hash: location.hash }))))`;

test('removes the link from the address of a prerendered page and sends no request but for the font', async () => {
  // Automation tools switch prerendering off, so the browser is started without them.
  const document = (await buildEntryPage(['chrome125'])).replace('</body>', `<script>${PROBE}</script></body>`);
  const requestedPaths: string[] = [];
  const { promise: reported, resolve: tell } = Promise.withResolvers<URLSearchParams>();
  const server = createServer(({ url = '', headers }, response) => {
    requestedPaths.push(`${url.replace(/\?.*/, '')} ${String(headers['sec-purpose'] ?? '')}`.trim());
    if (url.startsWith('/told')) tell(new URL(url, 'http://probe').searchParams);
    const isEntry = url === '/demo-access';
    response.writeHead(200, isEntry ? getEntryPageHeaders(document, undefined) : { 'content-type': 'text/html' });
    response.end(isEntry ? document : MESSAGE);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const profile = await mkdtemp(join(tmpdir(), 'tally-prerender-'));
  const { executablePath, env } = await launchOptions();
  const flags = ['--headless', '--no-sandbox', '--no-first-run', '--disable-gpu', `--user-data-dir=${profile}`];
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  // A headless browser needs a debugging port, although nothing connects to it, to stay on its page.
  const browser = spawn(executablePath!, [...flags, '--remote-debugging-port=0', address], {
    ...(env && { env }),
    stdio: 'ignore',
  });
  const ended = once(browser, 'exit');
  try {
    const { ahead, state, hash } = Object.fromEntries(await reported);
    assert.deepEqual({ ahead, state, hash }, { ahead: 'true', state: 'ready', hash: '' });
    assert.deepEqual(
      requestedPaths.filter((path) => !/^\/favicon\.ico|\.woff2 /.test(path)),
      ['/', '/demo-access prefetch;prerender', '/told prefetch;prerender'],
    );
  } finally {
    browser.kill('SIGKILL');
    await ended;
    server.closeAllConnections();
    server.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  }
});
