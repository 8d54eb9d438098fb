import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { experiments } from './lab/experiments.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs `npm run lab -- …` without npm. */
function lab(...args: string[]): { code: number | null; out: string; err: string } {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/lab.ts', ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

test('alone it lists every proof and measurement with a line each', () => {
  const { code, out } = lab();
  assert.equal(code, 0);
  for (const [name, { does }] of Object.entries(experiments)) {
    assert.match(out, new RegExp(`^  ${name}( .+)?$`, 'm'));
    assert.ok(out.includes(`\n      ${does}\n`), name);
  }
});

test('the file of each is there', () => {
  const missing = Object.entries(experiments).filter(([, { file }]) => !existsSync(`${root}${file}`));
  assert.deepEqual(missing, []);
});

test('arguments are passed on, and the exit code is that of the one that ran', () => {
  const { code, out } = lab('check-edges', '1');
  assert.equal(code, 0);
  assert.match(out, /^\d{2,4} compared, 0 different$/m, 'with longer strings there are more');
  const refused = lab('race-watchlist', '5');
  assert.equal(refused.code, 2);
  assert.match(refused.err, /^5 adds are too few to race/);
});

test('a name that is not there is refused in one sentence', () => {
  assert.deepEqual(lab('brew'), {
    code: 2,
    out: '',
    err: 'There is no proof or measurement "brew"; "npm run lab" lists them.\n',
  });
});
