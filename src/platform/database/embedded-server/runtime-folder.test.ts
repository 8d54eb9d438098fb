// @module-tag slow
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, readdir, readlink, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { promisify } from 'node:util';
import { chooseAccount } from './server-account.ts';
import { findNative, restoreLinks } from './binaries.ts';
import { createRuntimeFolder } from './runtime-folder.ts';

const run = promisify(execFile);

test('copies programs when the server’s account cannot reach them', async (t) => {
  const account = await chooseAccount('/nowhere');
  if (!account) return t.skip('not root, so the server runs as ourselves');
  const locked = await mkdtemp(join(tmpdir(), 'tally-locked-'));
  t.onTestFinished(() => rm(locked, { recursive: true, force: true }));
  await cp(await findNative(), join(locked, 'native'), { recursive: true, verbatimSymlinks: true });
  await chmod(locked, 0o700);
  await assert.rejects(run(join(locked, 'native/bin/postgres'), ['--version'], account), { code: 'EACCES' });
  const folder = await createRuntimeFolder(join(locked, 'native'), account);
  t.onTestFinished(() => folder.remove());
  assert.ok(folder.native.startsWith(folder.path));
  assert.match((await run(join(folder.native, 'bin/initdb'), ['--version'], account)).stdout, /PostgreSQL/);
  await folder.remove();
  await assert.rejects(readdir(folder.path), { code: 'ENOENT' });
});

test('creates library links when the install ran without scripts', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'tally-links-'));
  t.onTestFinished(() => rm(root, { recursive: true, force: true }));
  await cp(await findNative(), join(root, 'native'), { recursive: true, verbatimSymlinks: true });
  const lib = join(root, 'native/lib');
  const links = (await readdir(lib, { withFileTypes: true })).filter((entry) => entry.isSymbolicLink());
  assert.ok(links.length > 0);
  const before = await Promise.all(links.map(({ name }) => readlink(join(lib, name))));
  await Promise.all(links.map(({ name }) => unlink(join(lib, name))));
  await Promise.all([restoreLinks(root), restoreLinks(root)]); // two concurrent starts
  assert.deepEqual(await Promise.all(links.map(({ name }) => readlink(join(lib, name)))), before);
  assert.match((await run(join(root, 'native/bin/postgres'), ['--version'])).stdout, /PostgreSQL/);
});
