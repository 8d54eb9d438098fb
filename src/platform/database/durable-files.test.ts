import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, test } from 'vitest';
import { recordDiskCalls } from '../../../test/support/record-disk-calls.ts';
import { renameDurably, syncFolderContent, writeFileDurably } from './durable-files.ts';

let folder: string;
beforeEach((t) => {
  folder = mkdtempSync(join(tmpdir(), 'tally-durable-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** Replaces the random part of a draft's name, and the path of the folder. */
const normalize = (calls: readonly string[]): string[] =>
  calls.map((call) => call.replaceAll(folder, 'FOLDER').replaceAll(/-[0-9a-f-]{36}/g, '-ID'));

test('syncs the content before the file gets its name, and the name after it', (t) => {
  const calls = recordDiskCalls(t);
  const path = join(folder, 'file');

  writeFileDurably(path, 'first');
  writeFileDurably(path, Buffer.from('second'));

  const once = ['sync FOLDER/.file-ID', 'rename FOLDER/.file-ID FOLDER/file', 'sync FOLDER'];
  assert.deepEqual(normalize(calls), [...once, ...once]);
  assert.equal(readFileSync(path, 'utf8'), 'second');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['file']);
});

test('keeps an existing file when it is not to be replaced', (t) => {
  const calls = recordDiskCalls(t);
  const path = join(folder, 'file');

  writeFileDurably(path, 'first', { replace: false });
  writeFileDurably(path, 'second', { replace: false });

  assert.deepEqual(normalize(calls), [
    'sync FOLDER/.file-ID',
    'link FOLDER/.file-ID FOLDER/file',
    'sync FOLDER',
    'sync FOLDER/.file-ID',
    'sync FOLDER',
  ]);
  assert.equal(readFileSync(path, 'utf8'), 'first');
  assert.deepEqual(readdirSync(folder), ['file']);
});

test('leaves no draft when the file cannot be replaced', () => {
  mkdirSync(join(folder, 'file'));
  assert.throws(() => writeFileDurably(join(folder, 'file'), 'content'), { code: 'EISDIR' });
  assert.deepEqual(readdirSync(folder), ['file']);
});

test('syncs each file of a folder, then its names, and the new name of the folder after it is renamed', (t) => {
  const inner = join(folder, 'inner');
  mkdirSync(inner);
  for (const name of ['a', 'b']) writeFileSync(join(inner, name), name);
  const calls = recordDiskCalls(t);

  syncFolderContent(inner);
  renameDurably(inner, join(folder, 'outer'));

  assert.deepEqual(normalize(calls), [
    'sync FOLDER/inner/a',
    'sync FOLDER/inner/b',
    'sync FOLDER/inner',
    'rename FOLDER/inner FOLDER/outer',
    'sync FOLDER',
  ]);
  assert.deepEqual(readdirSync(folder), ['outer']);
});
