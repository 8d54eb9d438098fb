// @module-tag slow
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { reservePort } from '../../src/platform/http/reserve-port.ts';
import { listCommands, readSection } from '../support/page-commands.ts';

/* The commands of the pages for a release archive and its upgrade, except for those of accounts and systemd. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const findCommand = (page: string, heading: string, part: string): string =>
  listCommands(readSection(readFileSync(join(root, page), 'utf8'), heading)).find((command) => command.includes(part))!;
const findInstallCommand = (part: string): string =>
  findCommand('docs/how-to/deploy.md', 'Release archive with systemd', part);
const upgrade = findCommand('docs/how-to/back-up-and-upgrade.md', 'Upgrade', 'tar -xzf');

test('is ready when an operator installs, upgrades and installs again by the pages', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-install-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const run = (command: string, cwd = folder): string =>
    execFileSync('sh', ['-ec', command], {
      cwd,
      encoding: 'utf8',
      stdio: 'pipe',
      env: {
        ...process.env,
        // Vitest sets a BASE_URL of its own, and a DATA_DIR of the caller would be used in place of the page's.
        BASE_URL: undefined,
        DATA_DIR: undefined,
        PATH: `${join(folder, 'usr/local/bin')}:${process.env['PATH']}`,
      },
    });
  for (const path of ['opt', 'etc/systemd/system', 'usr/local/bin']) mkdirSync(join(folder, path), { recursive: true });
  // In place of the change of the user.
  writeFileSync(join(folder, 'usr/local/bin/runuser'), '#!/bin/sh\nshift 3\nexec "$@"\n', { mode: 0o755 });
  const place = (text: string): string =>
    text.replaceAll(/(?<![\w.}])\/(?=opt\b|etc\/tally|etc\/systemd|usr\/local|var\/lib)/g, `${folder}/`);
  /** Runs a block of a page in this folder, without the lines that need an account or systemd. */
  const runBlock = (block: string): void => {
    const lines = block.split('\n').filter((line) => !/useradd|systemctl/.test(line));
    run(place(lines.join('\n')).replace('chgrp tally', 'chgrp "$(id -g)"'));
    const command = join(folder, 'usr/local/bin/tally');
    writeFileSync(command, place(readFileSync(join(folder, 'opt/tally/deploy/systemd/tally'), 'utf8')));
  };
  const archive = run('npm run --silent release', root).trim().split('\n').at(-1)!;
  run(`tar -xzf '${archive}'`);
  renameSync(join(folder, 'tally-0.2.0'), join(folder, 'tally-0.3.0'));
  run('tar -czf tally-0.3.0.tar.gz tally-0.3.0');
  run(`cp '${archive}' tally-0.2.0.tar.gz`);

  const reserved = await reservePort('127.0.0.1');
  await reserved.release();
  const start = () => {
    const unit = readFileSync(join(folder, 'etc/systemd/system/tally.service'), 'utf8');
    const [, program, args] = /^ExecStart=\/opt\/tally\/(\S+) (.+)$/m.exec(unit)!;
    const service = spawn(join(folder, 'opt/tally', program!), args!.split(' '), {
      cwd: join(folder, 'opt/tally'),
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        DATA_DIR: join(folder, 'var/lib/tally'),
        PORT: `${reserved.port}`,
      },
      stdio: 'ignore',
    });
    t.onTestFinished(() => {
      service.kill('SIGKILL');
    });
    return { service, ended: once(service, 'exit') };
  };
  const assertReady = (): void =>
    assert.match(run(findInstallCommand('curl ').replace(':3000', `:${reserved.port}`)), /"status":"ready"/);

  runBlock(findInstallCommand('tar -xzf'));
  runBlock(findInstallCommand('owner.env'));
  const [copyUnit] = findInstallCommand('cp deploy/systemd/tally.service').split(' && ');
  run(place(copyUnit!), join(folder, 'opt/tally'));
  const first = start();
  assertReady();

  runBlock(upgrade);
  assert.equal(realpathSync(join(folder, 'opt/tally')), join(realpathSync(folder), 'opt/tally-0.3.0'));
  first.service.kill('SIGTERM');
  assert.deepEqual(await first.ended, [0, null]);
  const second = start();
  assertReady();
  second.service.kill('SIGTERM');
  assert.deepEqual(await second.ended, [0, null]);

  runBlock(findInstallCommand('tar -xzf'));
  runBlock(findInstallCommand('owner.env'));
});
