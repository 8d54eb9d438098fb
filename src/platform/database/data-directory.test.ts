import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import {
  assertDataDirectoryUsable,
  DataDirectoryError,
  DataDirectoryUnavailable,
  explainDataDirectoryError,
  ensureDataDirectory,
} from './data-directory.ts';

const createError = (code: string, path?: string): Error =>
  Object.assign(new Error(code), { code, syscall: 'write', ...(path && { path }) });

test('creates the folder with its parents for its owner unless it exists', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-data-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const dataDir = join(folder, 'a', 'b c');
  ensureDataDirectory(dataDir);
  ensureDataDirectory(dataDir);
  assert.equal(statSync(dataDir).mode & 0o777, 0o700);
});

test('throws at once when no folder can be created there', (t) => {
  if (!existsSync('/proc/self')) return t.skip('no /proc here');
  assert.throws(() => ensureDataDirectory('/proc/tally'), {
    message: /^The data directory \/proc\/tally cannot be used by this account \(ENOENT\);/,
  });
});

test('says before a start that no folder can be created', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-data-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const dataDir = join(folder, 'a', 'b');
  assertDataDirectoryUsable(dataDir);
  assert.equal(existsSync(join(folder, 'a')), false);
  writeFileSync(join(folder, 'a'), '');
  assert.throws(() => assertDataDirectoryUsable(dataDir), {
    name: 'Error',
    message: `The data directory ${dataDir} cannot be used by this account (ENOTDIR); change its owner or set DATA_DIR to another folder.`,
  });
});

test('describes a full disk, which is no wrong setting', () => {
  for (const code of ['ENOSPC', 'EDQUOT']) {
    const full = explainDataDirectoryError('/data', createError(code));
    assert.ok(full instanceof DataDirectoryUnavailable && !(full instanceof DataDirectoryError));
    assert.match(full.message, new RegExp(`^The data directory /data is on a full disk \\(${code}\\); free space`));
  }
  const initdb = new Error(
    'Failed to create the embedded PostgreSQL: FATAL: could not write to file "pg_wal/xlogtemp.1": ' +
      'No space left on device child process exited with exit code 1',
  );
  assert.match(
    String(explainDataDirectoryError('/data', initdb)),
    /The data directory \/data is on a full disk \(ENOSPC\); free space/,
  );
  assert.match(
    String(explainDataDirectoryError('/data', createError('EACCES', '/data/secrets.json'))),
    /cannot be used by this account \(EACCES\)/,
  );
  assert.match(
    String(explainDataDirectoryError('/data', createError('EROFS', '/data/secrets.json'))),
    /cannot be used by this account \(EROFS\); make it writable, with systemd by ReadWritePaths=, or set DATA_DIR/,
  );
  assert.match(
    String(explainDataDirectoryError('/data', createError('ENOTEMPTY', '/data/postgres'))),
    /The data directory \/data holds files that are no database of Tally; set DATA_DIR/,
  );
  for (const other of [createError('EACCES', '/usr/bin/initdb'), new Error('damaged')])
    assert.equal(explainDataDirectoryError('/data', other), other);
});
