import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { findNative } from './binaries.ts';
import { DataDirectoryError, DataDirectoryUnavailable } from '../data-directory.ts';
import { createCluster, createServerError, summarizeOutput } from './cluster.ts';
import { createRuntimeFolder } from './runtime-folder.ts';

test('keeps the line about a full disk when more lines follow', () => {
  const statement = 'STATEMENT:  CREATE DATABASE postgres OID = 5 STRATEGY = file_copy;\n\t';
  const after = 'child process exited with exit code 1\ninitdb: removing contents of data directory "/data"\n';
  const full = 'FATAL:  could not write to file "base/5/2662": No space left on device';
  assert.equal(summarizeOutput(`${full}\n${statement}\n${after}`), full);
  const partial = 'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 9';
  assert.equal(
    summarizeOutput(`${partial}\nHINT:  Check free disk space.\nAborted\n${after}`),
    'HINT:  Check free disk space.',
  );
  assert.equal(summarizeOutput('one\ntwo\nthree\nfour\n'), 'two three four');
});

test('keeps the line that names why the server ended when others surround it', () => {
  const prefix = '2026-11-29 06:17:18.554 UTC [21095] ';
  const log = (...lines: string[]) => lines.map((line) => `${prefix}${line}\n`).join('');
  const fatal = 'FATAL:  required WAL directory "pg_wal" does not exist';
  const after = 'LOG:  shutting down due to startup process failure';
  assert.equal(summarizeOutput(log('LOG:  starting PostgreSQL', fatal, after)), fatal);
  assert.equal(
    summarizeOutput(log('PANIC:  could not locate a valid checkpoint record') + 'Aborted\n'),
    'PANIC:  could not locate a valid checkpoint record',
  );
});

test.for([
  ['PANIC:  could not read file "global/pg_control": read 0 of 296\nAborted', DataDirectoryError],
  ['LOG:  startup process (PID 9) was terminated by signal 6: Aborted', DataDirectoryError],
  ['FATAL:  database files are incompatible with server', DataDirectoryError],
  ['FATAL:  could not map anonymous shared memory: Cannot allocate memory', DataDirectoryUnavailable],
  ['FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use', DataDirectoryUnavailable],
  ['FATAL:  lock file "postmaster.pid" already exists', DataDirectoryUnavailable],
  ['LOG:  redo in progress\nLOG:  received fast shutdown request', DataDirectoryUnavailable],
  ['LOG:  startup process (PID 9) was terminated by signal 9: Killed', DataDirectoryUnavailable],
  ['', DataDirectoryUnavailable],
] as const)('tells from the output %j whether a later start may succeed', ([output, expected]) => {
  assert.ok(createServerError('It failed.', output) instanceof expected);
});

test('describes problem and remedy when the account has no name', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('not root, so no other account can be taken on');
  const account = { uid: 64_321, gid: 64_321 };
  const dataDir = await mkdtemp(join(tmpdir(), 'tally-cluster-'));
  t.onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const runtime = await createRuntimeFolder(await findNative(), account);
  t.onTestFinished(() => runtime.remove());
  await assert.rejects(
    createCluster({ dataDir, native: runtime.native, account, scratch: runtime.path, durable: false }),
    {
      message:
        'The embedded PostgreSQL needs an account with a name, and user id 64321 has no entry in /etc/passwd; ' +
        'add one, start as another user, or set DB_URL to a PostgreSQL of your own.',
    },
  );
});
