import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { countCommand, keysCommand } from './cli.ts';

const HELLO = { model: 'claude-opus-5', system: 'Be kind', messages: [{ role: 'user', content: 'Hello, Claude' }] };

function run(
  command: typeof countCommand,
  argv: readonly string[],
  input = '',
): Promise<{ code: number; out: string; err: string }> {
  const output = { out: '', err: '' };
  const io = {
    out: (text: string) => {
      output.out += text;
    },
    err: (text: string) => {
      output.err += text;
    },
    readInput: async () => Buffer.from(input),
  };
  return command.run(argv, io).then((code) => ({ code, ...output }));
}

describe('tally count', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-count-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('prints parts that add up to the total from a file and from standard input', async () => {
    const file = join(folder, 'request.json');
    writeFileSync(file, JSON.stringify({ ...HELLO, max_tokens: 100, temperature: 0 }));
    const counted = await run(countCommand, ['--json', file]);
    assert.equal(counted.code, 0, counted.err);
    const { input_tokens, breakdown } = JSON.parse(counted.out) as {
      input_tokens: number;
      breakdown: { tokens: number; path: string }[];
    };
    assert.equal(
      breakdown.reduce((sum, part) => sum + part.tokens, 0),
      input_tokens,
    );
    assert.ok(breakdown.some((part) => part.path === 'messages.0.content'));
    const table = await run(countCommand, ['-'], JSON.stringify(HELLO));
    assert.match(table.out, new RegExp(`\\b${input_tokens}  input tokens\\n$`));
  });

  test('counts for another model when --model is given', async () => {
    const counted = await run(countCommand, ['-', '--model', 'claude-opus-4-6', '--json'], JSON.stringify(HELLO));
    assert.equal(counted.code, 0);
    const other = await run(countCommand, ['-', '--model', 'claude-none'], JSON.stringify(HELLO));
    assert.deepEqual([other.code, other.err], [1, 'tally count: model: claude-none is not known\n']);
  });

  test('exits with 1 on a bad request and with 2 on a usage error', async () => {
    const cases: [argv: string[], input: string, code: number, message: RegExp][] = [
      [['-'], '{', 1, /not valid JSON/],
      [['-'], JSON.stringify({ ...HELLO, messages: [] }), 1, /messages: at least one message is required/],
      [[join(folder, 'none.json')], '', 1, /cannot be read/],
      [[], '', 2, /name one file/],
      [['a', 'b'], '', 2, /name one file/],
      [['-', '--nonsense'], '', 2, /--help/],
    ];
    for (const [argv, input, code, message] of cases) {
      const result = await run(countCommand, argv, input);
      assert.equal(result.code, code, argv.join(' '));
      assert.match(result.err, message);
      assert.equal(result.out, '');
    }
  });
});

describe('tally keys', () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
  });
  afterAll(() => testDatabase.drop());
  const keys = (...argv: string[]) =>
    run(
      keysCommand((work) => work(testDatabase.database)),
      argv,
    );

  test('prints only the key to standard output when creating, listing and revoking', async () => {
    const created = await keys('create', '--name', 'laptop', '--organisation', 'Acme', '--tier', '3');
    assert.equal(created.code, 0, created.err);
    assert.match(created.out, /^sk-tally-[\w-]{43}\n$/);
    const listed = JSON.parse((await keys('list', '--json')).out) as { id: string; name: string; usage_tier: number }[];
    assert.deepEqual(
      listed.map((row) => [row.name, row.usage_tier]),
      [['laptop', 3]],
    );
    assert.match((await keys('list')).out, /laptop/);
    const { id } = listed[0]!;
    assert.equal((await keys('revoke', id)).code, 0);
    assert.equal((await keys('revoke', id)).code, 0, 'again is no mistake');
    assert.deepEqual(JSON.parse((await keys('list', '--json')).out), []);
    assert.match((await keys('list', '--all')).out, /laptop/);
    assert.ok(!(await keys('list', '--all', '--json')).out.includes(created.out.trim()));
  });

  test('exits with 1 on an unknown id and with 2 on a usage error', async () => {
    assert.equal((await keys('revoke', 'none')).code, 1);
    const invalidArguments = [
      [],
      ['nonsense'],
      ['create'],
      ['create', '--name', ''],
      ['create', '--name', 'gnp.\u202Eexe'],
      ['create', '--name', 'red \u001B[31m'],
      ['create', '--name', 'a', '--organisation', 'a\u2028b'],
      ['create', '--name', 'a', '--tier', '5'],
      ['revoke'],
      ['list', 'extra'],
      ['list', '--nonsense'],
    ];
    for (const argv of invalidArguments) assert.equal((await keys(...argv)).code, 2, argv.join(' '));
  });
});
