import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { getPidFilePath, readPidFile } from './pid-file.ts';

test('reads the server and its readiness from the file at every stage', async (t) => {
  const cluster = await mkdtemp(join(tmpdir(), 'pid-file-'));
  t.onTestFinished(() => rm(cluster, { recursive: true, force: true }));
  assert.equal(await readPidFile(cluster), undefined);
  const lines = ['4711', cluster, '1790000000', '5432', '/somewhere/tally-aaaaaa/socket', '', '  1234 5', 'starting'];
  const expected: [text: string, pid: number | undefined, socketDir: string, ready: boolean][] = [
    ['', undefined, '', false],
    [`${lines.slice(0, 4).join('\n')}\n`, 4711, '', false],
    [`${lines.join('\n')}\n`, 4711, '/somewhere/tally-aaaaaa/socket', false],
    [`${[...lines.slice(0, 7), 'ready   '].join('\n')}\n`, 4711, '/somewhere/tally-aaaaaa/socket', true],
  ];
  for (const [text, pid, socketDir, ready] of expected) {
    await writeFile(getPidFilePath(cluster), text);
    assert.deepEqual(await readPidFile(cluster), { pid, socketDir, ready });
  }
});
