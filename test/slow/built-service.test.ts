// @module-tag slow
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import * as providerSettings from '../../src/config/provider-settings.ts';
import { readFirstRun } from '../../src/installation/first-run.ts';
import { buildServer } from '../../tools/build-server.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service-process.ts';

/* What the built program loads. Its service runs without any provider, as after `npm start`. */

/** The libraries of each provider, by the function that returns its settings. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  getIdentitySettings: [],
  getMailSettings: ['nodemailer'],
  getMarketProviders: [],
  getEcbSettings: ['@xmldom/xmldom'],
  getPlaidSettings: ['plaid'],
  getSnaptradeSettings: ['snaptrade-typescript-sdk'],
  getStripeSettings: ['stripe'],
  getAnalyticsSettings: ['@openfeature/server-sdk'],
  getTracingSettings: ['@opentelemetry/sdk-trace', '@opentelemetry/exporter-trace-otlp-http'],
  getAssistantSettings: ['@anthropic-ai/sdk'],
};

const root = join(import.meta.dirname, '../..');

let folder: string;
/** Addresses of all modules that the service and its threads have loaded. */
let loaded: string[];
beforeAll(async () => {
  await buildServer({ ifStale: true });
  folder = mkdtempSync(join(tmpdir(), 'tally-built-'));
  const record = join(folder, 'loaded.txt');
  const recorder = `import { registerHooks } from 'node:module';
    import { appendFileSync } from 'node:fs';
    registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(record)}, url + '\\n'); return next(url, context); } });`;
  const readRecord = (): string[] => readFileSync(record, 'utf8').trim().split('\n');
  const service = startService({
    DATA_DIR: join(folder, 'data'),
    npm_lifecycle_event: 'start',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(recorder)}`,
  });
  const url = await service.ready;
  // Large enough for a counting thread.
  const content = 'many words of one long message '.repeat(20_000);
  const response = await fetch(`${url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: {
      'x-api-key': readFirstRun(join(folder, 'data'))!.api_key,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model: 'claude-sonnet-4-5', messages: [{ role: 'user', content }] }),
  });
  assert.equal(response.status, 200, await response.text());
  await eventually(() => readRecord().some((address) => address.endsWith('/dist/server/count-worker.js')));
  assert.equal(await service.end('SIGTERM'), 0, service.output());
  loaded = readRecord();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('reads no TypeScript file when the built service runs', () => {
  assert.ok(loaded.some((address) => address.endsWith('/dist/server/tally.js')));
  assert.deepEqual(
    loaded.filter((address) => /\.tsx?$/.test(address)),
    [],
  );
});

test('names an existing source for every part of the build', () => {
  const maps = globSync('dist/server/*.map', { cwd: root });
  const sources = maps.flatMap((map) => {
    const parsed = JSON.parse(readFileSync(join(root, map), 'utf8')) as { sources: string[] };
    return parsed.sources.map((source) => join(root, 'dist/server', source));
  });
  assert.ok(sources.includes(join(root, 'src/main.ts')));
  assert.deepEqual(
    sources.filter((source) => !existsSync(source)),
    [],
  );
});

test('finds every file that the build names by its place', () => {
  const targets = globSync('dist/server/*.js', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/new URL\([`'"]([^`'"]+)[`'"], ?import\.meta\.url\)/g)].map(
      ([, path]) => join(root, dirname(file), path!),
    ),
  );
  // Threads, migrations, data files and pages.
  assert.ok(targets.length > 8, targets.join('\n'));
  assert.deepEqual(
    targets.filter((target) => !existsSync(target)),
    [],
  );
});

test('names the libraries of every provider that settings can choose', () => {
  const names = Object.keys(providerSettings).filter((name) => /^get\w+(Settings|Providers)$/.test(name));
  assert.deepEqual(Object.keys(LIBRARIES).sort(), names.sort());
});

test.each([...Object.values(LIBRARIES).flat(), 'ioredis', 'ajv'])(
  'does not load %s when nothing is configured',
  (library) => {
    assert.ok(loaded.some((address) => address.includes('/node_modules/fastify/')));
    assert.deepEqual(
      loaded.filter((address) => address.includes(`/node_modules/${library}/`)),
      [],
    );
  },
);
