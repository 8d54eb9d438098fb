import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';

const INSTALL = 'install-parts';
const TEST = 'npm test';
const SLOW = 'npm run test:slow -- --changed';

test.for([
  { failing: 'nothing', status: 0 },
  { failing: TEST, status: 1 },
  { failing: SLOW, status: 1 },
  { failing: INSTALL, status: 0 },
])('.ci/run runs both suites and exits with $status when $failing fails', ({ failing, status }, t) => {
  const root = mkdtempSync(join(tmpdir(), 'ci-run-'));
  t.onTestFinished(() => rmSync(root, { recursive: true }));
  cpSync(join(import.meta.dirname, '../.ci/run'), join(root, '.ci/run'), { recursive: true });
  mkdirSync(join(root, 'test/slow'), { recursive: true });
  const program = (name: string): string =>
    `#!/bin/sh\necho "${name}" >> '${root}/calls'\n[ "${name}" != '${failing}' ]\n`;
  writeFileSync(join(root, 'test/slow/install-parts.sh'), program(INSTALL));
  writeFileSync(join(root, 'npm'), program('npm $*'), { mode: 0o755 });
  const { stderr, ...result } = spawnSync('bash', [join(root, '.ci/run')], {
    encoding: 'utf8',
    env: { PATH: `${root}:${process.env['PATH']}` },
  });
  assert.equal(result.status, status, stderr);
  assert.deepEqual(readFileSync(join(root, 'calls'), 'utf8').trim().split('\n'), ['npm ci', INSTALL, TEST, SLOW]);
  if (status !== 0) assert.match(stderr, new RegExp(`^Failed: .*${failing.replace(/ -- .*/, '')}$`, 'm'));
});
