import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

test('every browser test that takes a part of the looks runs with all of them', () => {
  const files = readdirSync(`${root}test/e2e`).filter((file) => file.endsWith('.e2e.ts'));
  const some = files.filter((file) => /\bof walks\)/.test(readFileSync(`${root}test/e2e/${file}`, 'utf8')));
  const { args = [] } = experiments['all-looks']!;
  assert.ok(some.length > 0);
  assert.deepEqual(
    some.filter((file) => !args.some((part) => file.includes(part))),
    [],
  );
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
