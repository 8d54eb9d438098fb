import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { pathToFileURL } from 'node:url';
import { eventually } from './support/eventually.ts';

const preload = pathToFileURL(join(import.meta.dirname, '../bin/pinned.mjs')).href;

/**
 * Runs `script` below a shell that waits for it, as npm does. Resolves with the shell once the script has printed its
 * process id.
 */
async function startBelowShell(
  script: string,
  env: Record<string, string>,
): Promise<{ shell: ChildProcess; pid: number }> {
  const command = `"${process.execPath}" --import "${preload}" "${script}"; true`;
  const shell = spawn('/bin/sh', ['-c', `/bin/sh -c '${command}'; true`], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = (await once(shell.stdout, 'data')) as [Buffer];
  return { shell, pid: Number(chunk.toString()) };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const withScript = async (body: (script: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'pinned node '));
  const script = join(folder, 'waits.mjs');
  writeFileSync(script, 'console.log(process.pid);\nsetTimeout(() => {}, 300_000);\n');
  try {
    await body(script);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const linux = process.platform === 'linux';

test('ends a script with its shell when npm is killed', async (t) => {
  if (!linux) return t.skip('the shell between is looked up in /proc, which is here on Linux only');
  await withScript(async (script) => {
    const { shell, pid } = await startBelowShell(script, { npm_lifecycle_event: 'start' });
    assert.ok(isAlive(pid));
    shell.kill('SIGKILL');
    await eventually(() => !isAlive(pid));
  });
});

test('lets a script outlive its shell when it was started by hand', { tags: ['slow'] }, async (t) => {
  if (!linux) return t.skip('the shell between is looked up in /proc, which is here on Linux only');
  await withScript(async (script) => {
    const { shell, pid } = await startBelowShell(script, { npm_lifecycle_event: '' });
    shell.kill('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 1200));
    assert.ok(isAlive(pid));
    process.kill(pid, 'SIGKILL');
  });
});
