import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

const program = fileURLToPath(new URL('../bin/tally.mjs', import.meta.url));

/** Runs `tally` in an empty folder, so that no settings file of this machine has a say. */
function tally(
  argv: readonly string[],
  settings: Record<string, string> = {},
  input: string | Buffer = '',
): { code: number | null; out: string; err: string } {
  const cwd = mkdtempSync(join(tmpdir(), 'tally-program-'));
  try {
    const env = { PATH: process.env['PATH'], DATA_DIR: join(cwd, 'data'), ...settings };
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...argv], {
      cwd,
      env,
      input,
      encoding: 'utf8',
    });
    return { code: status, out: stdout, err: stderr };
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

test('what goes wrong is one sentence on standard error, and the exit code says whether to try again', () => {
  assert.deepEqual(tally(['start'], { PORT: 'x' }), {
    code: 2,
    out: '',
    err: 'tally start: The setting PORT must be a whole number from 0 to 65535.\n',
  });
  assert.deepEqual(tally(['brew']), {
    code: 2,
    out: '',
    err: 'tally: there is no command "brew"; see tally --help.\n',
  });
  const away = tally(['keys', 'list'], {
    DB_URL: 'postgres://authenticator:x@127.0.0.1:1/x',
    DB_SERVICE_ROLE_KEY: 'x',
  });
  assert.deepEqual(away, {
    code: 3,
    out: '',
    err:
      'tally keys: The database cannot be reached (connect ECONNREFUSED 127.0.0.1:1); try again later, ' +
      'or check DB_URL.\n',
  });
});

test('standard input is read byte for byte, as a file is', () => {
  const request = Buffer.from('{"model":"claude-opus-5","messages":[{"role":"user","content":"a\xff"}]}', 'latin1');
  assert.deepEqual(tally(['count', '-'], {}, request), {
    code: 1,
    out: '',
    err: 'tally count: The request body is not valid UTF-8.\n',
  });
});
