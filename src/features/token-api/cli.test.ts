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
    assert.match(table.out, new RegExp(`\\b${input_tokens}  input tokens\\n`));
  });

  test('prints the share of the context window and the cost', async () => {
    const request = {
      model: 'claude-sonnet-4-5',
      messages: [{ role: 'user', content: 'Hello, world' }],
      cache_control: { type: 'ephemeral' },
    };
    const { out } = await run(countCommand, ['-', '--json'], JSON.stringify(request));
    const { context_window, share_percent, remaining_tokens, cost_usd, cached_cost_usd } = JSON.parse(out) as Record<
      string,
      number
    >;
    // 10 tokens of 200,000, written to the cache at $3.75 and read at $0.30 per million.
    assert.deepEqual([context_window, share_percent, remaining_tokens], [200_000, 0.005, 64_000]);
    assert.deepEqual([cost_usd, cached_cost_usd], [0.0000375, 0.000003]);
    const table = await run(countCommand, ['-'], JSON.stringify(request));
    assert.match(table.out, /^0\.005 % of the context window of 200000 tokens$/m);
    assert.match(table.out, /^\$0\.0000375 for the input, \$0\.000003 from the cache$/m);
    const unknown = await run(countCommand, ['-', '--model', 'claude-mythos-preview'], JSON.stringify(request));
    assert.match(unknown.out, /^the context window is not published\nthe price is not published$/m);
  });

  test('exits with 1 when a request exceeds --max-tokens or --max-share', async () => {
    // 10 tokens, which are 0.005 % of 200,000.
    const request = JSON.stringify({
      model: 'claude-sonnet-4-5',
      messages: [{ role: 'user', content: 'Hello, world' }],
    });
    const getCode = async (...argv: string[]): Promise<number> => (await run(countCommand, argv, request)).code;
    assert.equal(await getCode('-', '--max-tokens', '10', '--max-share', '0.005'), 0);
    const exceeded = await run(countCommand, ['-', '--max-tokens', '9', '--max-share', '0.004'], request);
    assert.equal(exceeded.code, 1);
    assert.match(exceeded.out, /10 {2}input tokens/);
    assert.equal(
      exceeded.err,
      'tally count: -: 10 input tokens are more than --max-tokens 9\n' +
        'tally count: -: 0.005 % of the context window is more than --max-share 0.004\n',
    );
    assert.equal(await getCode('-', '--max-share', '100', '--model', 'claude-mythos-preview'), 1);
    const lines = await run(countCommand, ['--lines', '-', '--json', '--max-tokens', '9'], request);
    assert.deepEqual([lines.code, lines.err], [1, 'tally count: -:1: 10 input tokens are more than --max-tokens 9\n']);
    const file = join(folder, 'prompt.json');
    writeFileSync(file, request);
    assert.equal(await getCode(file, '-', '--max-tokens', '9'), 1);
    assert.equal(await getCode(file, '-', '--max-tokens', '10'), 0);
  });

  test('counts for another model when --model is given', async () => {
    const counted = await run(countCommand, ['-', '--model', 'claude-opus-4-6', '--json'], JSON.stringify(HELLO));
    assert.equal(counted.code, 0);
    const other = await run(countCommand, ['-', '--model', 'claude-none'], JSON.stringify(HELLO));
    assert.deepEqual([other.code, other.err], [1, 'tally count: -:1:10: model: claude-none is not known\n']);
  });

  test('counts thinking of earlier turns when --keeps-earlier-thinking is given', async () => {
    const thinking = { type: 'thinking', thinking: 'Rain is likely.', signature: 'c2lnbmF0dXJl' };
    const request = {
      model: 'claude-opus-4-5',
      messages: [
        { role: 'user', content: 'Rain?' },
        { role: 'assistant', content: [thinking, { type: 'text', text: 'Yes.' }] },
        { role: 'user', content: 'Sure?' },
      ],
    };
    const count = async (...options: string[]): Promise<number> => {
      const counted = await run(countCommand, ['-', '--json', ...options], JSON.stringify(request));
      return (JSON.parse(counted.out) as { input_tokens: number }).input_tokens;
    };
    assert.equal(await count('--keeps-earlier-thinking'), (await count()) + 4 + 14);
  });

  test('counts interleaved thinking when the saved request names the beta', async () => {
    const request = {
      model: 'claude-sonnet-4-5',
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      tools: [{ name: 'get_time', input_schema: { type: 'object' } }],
      messages: [{ role: 'user', content: 'What time is it?' }],
    };
    const count = async (body: object): Promise<number> => {
      const counted = await run(countCommand, ['-', '--json'], JSON.stringify(body));
      return (JSON.parse(counted.out) as { input_tokens: number }).input_tokens;
    };
    const betas = ['interleaved-thinking-2025-05-14'];
    assert.notEqual(await count({ ...request, betas }), await count(request));
  });

  test('takes a saved creation request and names the tools of the breakdown', async () => {
    const tools = [
      { name: 'get_weather', input_schema: { type: 'object' } },
      { type: 'bash_20250124', name: 'bash' },
    ];
    const created = {
      ...HELLO,
      tools,
      stream: true,
      container: 'c',
      betas: ['b'],
      anthropic_version: 'vertex-2023-10-16',
    };
    const table = await run(countCommand, ['-'], JSON.stringify(created));
    assert.match(table.out, /^ +\d+  tools +tools\.0 get_weather$/m);
    const { out } = await run(countCommand, ['--json', '-'], JSON.stringify(created));
    const { breakdown } = JSON.parse(out) as { breakdown: { path: string; name?: string }[] };
    assert.equal(breakdown.find(({ path }) => path === 'tools.1')?.name, 'bash');
  });

  test('says which model it took when the identifier is of another platform', async () => {
    const input = JSON.stringify({ ...HELLO, model: 'us.anthropic.claude-opus-4-6-v1' });
    const table = await run(countCommand, ['-'], input);
    assert.equal(table.err, 'tally count: -: "us.anthropic.claude-opus-4-6-v1" is counted as claude-opus-4-6\n');
    const json = await run(countCommand, ['-', '--json'], input);
    assert.equal((JSON.parse(json.out) as { model: string }).model, 'claude-opus-4-6');
    assert.equal(json.err, '');
    const own = await run(countCommand, ['-', '--json', '--model', 'claude-opus-4-6'], input);
    assert.ok(!('model' in (JSON.parse(own.out) as object)));
  });

  test('prints the parts that differ when two files are given', async () => {
    const first = join(folder, 'first.json');
    const tool = { name: 'get_time', input_schema: { type: 'object' } };
    writeFileSync(first, JSON.stringify({ ...HELLO, tools: [tool] }));
    const second = JSON.stringify({ ...HELLO, system: 'Be kind and brief', tools: [{ ...tool, name: 'other' }, tool] });
    const compared = await run(countCommand, [first, '-', '--json'], second);
    assert.equal(compared.code, 0, compared.err);
    const { input_tokens, difference, parts } = JSON.parse(compared.out) as {
      input_tokens: [number, number];
      difference: number;
      parts: { path: string; name?: string; difference: number }[];
    };
    assert.equal(input_tokens[1] - input_tokens[0], difference);
    assert.equal(
      parts.reduce((sum, part) => sum + part.difference, 0),
      difference,
    );
    assert.deepEqual(
      parts.map(({ path, name }) => name ?? path).filter((name) => name !== ''),
      ['system', 'other'],
    );
    const table = await run(countCommand, [first, '-'], second);
    assert.match(
      table.out,
      new RegExp(`^${input_tokens[0]} +${input_tokens[1]} +\\+${difference} +input tokens$`, 'm'),
    );
  });

  test('counts every line and exits with 1 when --lines has an invalid one', async () => {
    const file = join(folder, 'requests.jsonl');
    const batchEntry = { custom_id: 'greeting', params: { ...HELLO, max_tokens: 5 } };
    writeFileSync(
      file,
      [JSON.stringify(HELLO), '', '{', JSON.stringify(batchEntry), '{"model":"claude-opus-5"}'].join('\n'),
    );
    const counted = await run(countCommand, ['--lines', file]);
    assert.equal(counted.code, 1);
    const [first, fourth, ...others] = counted.out.trimEnd().split('\n');
    assert.match(first!, /^ +1 +\d+$/);
    assert.match(fourth!, /^ +4 +\d+ {2}greeting$/);
    assert.deepEqual(others, []);
    assert.match(counted.err, /requests\.jsonl:3: .*JSON.*\n.*requests\.jsonl:5: messages: Field required\n$/);
    const json = await run(countCommand, ['--lines', '--json', file]);
    const lines = json.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { line: number; error?: string });
    assert.deepEqual(
      lines.map(({ line, error }) => [line, error === undefined]),
      [
        [1, true],
        [3, false],
        [4, true],
        [5, false],
      ],
    );
    assert.equal((await run(countCommand, ['--lines', '-'], `${JSON.stringify(HELLO)}\n`)).code, 0);
  });

  test('counts the conversation of a Claude Code session and reports left-out lines', async () => {
    const lines = [
      { type: 'summary', summary: 'Greeting', leafUuid: 'a' },
      { type: 'user', uuid: 'u', parentUuid: null, message: { role: 'user', content: 'Hello, Claude' } },
      {
        type: 'assistant',
        uuid: 'a',
        parentUuid: 'u',
        message: { id: 'm', role: 'assistant', model: 'claude-opus-5', content: [{ type: 'text', text: 'Hello!' }] },
      },
    ];
    const session = lines.map((line) => JSON.stringify(line)).join('\n');
    const counted = await run(countCommand, ['-', '--json'], session);
    assert.equal(counted.code, 0, counted.err);
    const messages = [
      { role: 'user', content: 'Hello, Claude' },
      { role: 'assistant', content: 'Hello!' },
    ];
    const request = await run(countCommand, ['-', '--json'], JSON.stringify({ model: 'claude-opus-5', messages }));
    const parse = (out: string): { input_tokens: number; left_out?: object } =>
      JSON.parse(out) as { input_tokens: number; left_out?: object };
    assert.equal(parse(counted.out).input_tokens, parse(request.out).input_tokens);
    assert.deepEqual(parse(counted.out).left_out, [{ reason: 'summary', lines: [1] }]);
    const table = await run(countCommand, ['-'], session);
    assert.match(table.err, /2 of 3 lines .*\n.*left out, summary: 1 \(line 1\)\n/);
    const unknownBlock = session.replace('"type":"text"', '"type":"nonsense"');
    const rejected = await run(countCommand, ['-'], unknownBlock);
    assert.equal(rejected.code, 1);
    assert.match(rejected.err, /^tally count: -:3: messages\.1\.content\.0/);
  });

  test('counts the last request of a Claude Code session as it was sent when the file has it', async () => {
    const message = { role: 'user', content: 'Hello, Claude' };
    const sent = {
      model: 'claude-opus-5',
      system: [{ type: 'text', text: 'You are a careful engineer.' }],
      tools: [{ name: 'Read', description: 'Reads a file.', input_schema: { type: 'object', properties: {} } }],
      thinking: { type: 'adaptive' },
      messages: [message, { role: 'system', content: 'Today is Monday.' }],
    };
    const { model, thinking, messages, ...shape } = sent;
    const session = [
      { type: 'user', uuid: 'u', parentUuid: null, sessionId: 's', message },
      { type: 'api-request-shape', sessionId: 's', shapeHash: 'shape', shape },
      ...messages.map((each, index) => ({ type: 'api-request-blob', sessionId: 's', hash: `${index}`, message: each })),
      {
        type: 'api-request',
        sessionId: 's',
        id: 'r',
        shapeHash: 'shape',
        params: { model, thinking, max_tokens: 64_000 },
        keep: 0,
        tail: ['0', '1'],
      },
      {
        type: 'assistant',
        uuid: 'a',
        parentUuid: 'u',
        message: { id: 'm', role: 'assistant', model, content: [{ type: 'text', text: 'Hello!' }] },
      },
    ];
    const text = session.map((line) => JSON.stringify(line)).join('\n');
    const counted = await run(countCommand, ['-', '--json'], text);
    assert.equal(counted.code, 0, counted.err);
    const captured = await run(countCommand, ['-', '--json'], JSON.stringify(sent));
    const { counted: what, left_out, ...count } = JSON.parse(counted.out) as Record<string, unknown>;
    assert.deepEqual(count, JSON.parse(captured.out));
    assert.deepEqual([what, left_out], ['last_request', [{ reason: 'after the last request', lines: [6] }]]);
    const table = await run(countCommand, ['-'], text);
    assert.match(table.err, /its last request \(line 5\) with 2 messages, system prompt and tools\n/);
    const rejected = await run(countCommand, ['-'], text.replace('Today is Monday.', ' '));
    assert.match(rejected.err, /^tally count: -:4: messages\.1/);
  });

  test('exits with 1 on a bad request and with 2 on a usage error', async () => {
    const cases: [argv: string[], input: string, code: number, message: RegExp][] = [
      [['-'], '{', 1, /not valid JSON/],
      [['-'], JSON.stringify({ ...HELLO, messages: [] }), 1, /messages: at least one message is required/],
      [[join(folder, 'none.json')], '', 1, /cannot be read/],
      [['-'], `${JSON.stringify(HELLO, null, 2)}`.replace('"user"', '7'), 1, /-:6:15: messages\.0\.role: /],
      [['-'], `${JSON.stringify(HELLO)}\n${JSON.stringify(HELLO)}`, 1, /several lines of JSON.*--lines/],
      [['-'], '{"type":"summary","leafUuid":"a"}', 1, /the session has no messages/],
      [['--lines', '-'], '\n', 1, /no lines/],
      [['--lines', join(folder, 'none.jsonl')], '', 1, /cannot be read/],
      [[], '', 2, /name one file/],
      [['a', 'b', 'c'], '', 2, /name one file/],
      [['--lines', 'a', 'b'], '', 2, /name one file/],
      [['-', '-'], '', 2, /only one of the files/],
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
