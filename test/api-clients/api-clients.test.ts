// @module-tag slow
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SITE, TestBrowser } from '../support/identity.ts';
import { startService } from '../support/service.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const run = promisify(execFile);
const runNode = (...args: string[]) => run(process.execPath, args, { cwd: folder });

const isInstalled = existsSync(`${folder}node_modules`);

test('compiles and calls the service when two generators create clients from OpenAPI', async (t) => {
  if (!isInstalled && !process.env['API_CLIENTS_REQUIRED'])
    return t.skip('not run, for lack of the generators: npm ci --prefix test/api-clients');
  const service = await startService({ BASE_URL: SITE });
  t.onTestFinished(() => service.stop());
  await runNode('generate.ts');
  await runNode('node_modules/typescript/bin/tsc', '--noEmit', '-p', '.');

  const { firstRun, url } = service;
  const { email, password, tier } = firstRun.members.find((member) => member.tier === 'pro')!;
  const browser = new TestBrowser(url);
  const { body } = await browser.call('POST', '/client/sign_ins', { identifier: email, password });
  const token = await browser.token(body.response.created_session_id);
  for (const program of ['use-openapi-typescript.ts', 'use-hey-api.ts']) {
    const { stdout } = await runNode(program, url, firstRun.api_key, token);
    const { watched, ...reported } = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual(reported, { tokens: 10, current: tier, refusal: 'UNKNOWN_SYMBOL' }, program);
    assert.ok(Number(watched) > 0, program);
  }
});
