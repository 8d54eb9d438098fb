// @module-tag slow
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { reservePort } from '../../src/platform/http/reserve-port.ts';
import { listCommands, readSection } from '../support/page-commands.ts';

/* The commands of docs/how-to/deploy.md for a release archive, except for those of accounts and systemd. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/how-to/deploy.md'), 'utf8');
const commands = listCommands(readSection(page, 'Release archive with systemd'));
const findCommand = (part: string): string => commands.find((command) => command.includes(part))!;

test('is ready when an operator installs the archive by the page', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-install-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const run = (command: string, cwd: string): string =>
    execFileSync('sh', ['-ec', command], { cwd, encoding: 'utf8', stdio: 'pipe' });
  const archive = run('npm run --silent release', root).trim().split('\n').at(-1)!;
  mkdirSync(join(folder, 'opt'));

  const install = findCommand('tar -xzf').replace(/^useradd .*\n/, '');
  run(install.replaceAll('/opt', join(folder, 'opt')).replace(/tally-[\d.]+\.tar\.gz/, `'${archive}'`), folder);

  const reserved = await reservePort('127.0.0.1');
  await reserved.release();
  const unit = readFileSync(join(root, 'deploy/systemd/tally.service'), 'utf8');
  const [, program, args] = /^ExecStart=\/opt\/tally\/(\S+) (.+)$/m.exec(unit)!;
  const service = spawn(join(folder, 'opt/tally', program!), args!.split(' '), {
    cwd: join(folder, 'opt/tally'),
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      DATA_DIR: join(folder, 'data'),
      PORT: `${reserved.port}`,
    },
    stdio: 'ignore',
  });
  const ended = once(service, 'exit');
  t.onTestFinished(() => {
    service.kill('SIGKILL');
  });
  assert.match(run(findCommand('curl ').replace(':3000', `:${reserved.port}`), folder), /"status":"ready"/);
  service.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});
