import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { listCommands } from './support/page-commands.ts';

/** Runs the commands of docs/how-to/guard-prompts.md in a repository with prompts, beside a checkout of this one. */
const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(root, 'docs/how-to/guard-prompts.md'), 'utf8');
const hook = listCommands(page).find((command) => command.startsWith('#!/bin/sh'))!;
const findCommand = /^- run: (find .*)$/m.exec(page)![1]!.replace('/tmp/tally', '../tally');

const folder = mkdtempSync(join(tmpdir(), 'tally-prompts-'));
const repository = join(folder, 'prompts-repository');

function run(command: string, args: readonly string[]): { status: number | null; output: string } {
  // The program must run by the Node.js of the test.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: repository, env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

function writePrompt(name: string, words: number): void {
  const messages = [{ role: 'user', content: 'word '.repeat(words).trim() }];
  writeFileSync(join(repository, 'prompts', name), JSON.stringify({ model: 'claude-haiku-4-5', messages }));
}

beforeAll(() => {
  mkdirSync(join(repository, 'prompts'), { recursive: true });
  symlinkSync(root, join(folder, 'tally'));
  run('git', ['init', '--quiet']);
  run('git', ['config', 'user.email', 'a@example.com']);
  run('git', ['config', 'user.name', 'A']);
  writeFileSync(join(repository, '.git/hooks/pre-commit'), `${hook}\n`, { mode: 0o755 });
  writePrompt('short.json', 10);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('lets a commit pass until a prompt of it exceeds the limit', () => {
  run('git', ['add', '.']);
  const passed = run('git', ['commit', '--quiet', '--message', 'Add a short prompt']);
  assert.equal(passed.status, 0, passed.output);
  writePrompt('long.json', 25_000);
  run('git', ['add', '.']);
  const failed = run('git', ['commit', '--quiet', '--message', 'Add a long prompt']);
  assert.notEqual(failed.status, 0);
  assert.match(failed.output, /prompts\/long\.json/);
});

test('fails the step of a workflow when a prompt exceeds its share', () => {
  assert.notEqual(run('/bin/sh', ['-c', findCommand]).status, 0);
  rmSync(join(repository, 'prompts/long.json'));
  const passed = run('/bin/sh', ['-c', findCommand]);
  assert.equal(passed.status, 0, passed.output);
});
