// @module-tag slow
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, test } from 'vitest';
import { findCitus, NO_CITUS } from '../test/support/citus.ts';
import { CLUSTER_VARIABLE } from '../test/support/cluster.ts';

/* Each benchmark at its smallest size, also `npm run bench -- http` of docs/how-to/scale-out.md. */

interface Benchmark {
  /** Arguments of the smallest size. */
  args: readonly string[];
  /** Text of each printed line that must have figures after it. */
  rows: readonly string[];
  /** Matches printed figures that can be zero. */
  mayBeZero?: RegExp;
}

const root = join(import.meta.dirname, '..');
const peers = join(import.meta.dirname, 'node_modules');
const hasNativePeer = existsSync(join(peers, `@oh-my-pi/pi-natives-${process.platform}-${process.arch}`));

const CLUSTER = ['--members', '4', '--items', '5', '--requests', '40'];
const CLUSTER_ROWS = [
  'GET /api/watchlist ',
  'GET /api/home',
  'GET /api/net-worth',
  'GET /api/me',
  'PUT /api/watchlist/order',
  'POST and DELETE /api/watchlist',
  'POST and DELETE /api/accounts',
];

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  'bench/cluster.ts': { args: [...CLUSTER, '--workers', '0'], rows: CLUSTER_ROWS },
  'bench/dashboard.ts': {
    args: ['--rows', '10', '--holdings', '10', '--rounds', '1'],
    rows: [
      'nothing: a click on the title',
      'toggle the second line',
      'nothing: a key ',
      'sort',
      'nothing: a key in the search',
      'add by a search row',
      'remove by a search row',
      'nothing: a move of the pointer',
      'drag by one row',
      'nothing: a click on the dialog’s title',
      'move down by the menu',
      'load: firstPaint',
      'load: largestPaint',
      'load: shift',
      'nothing: a click on Portfolio’s title',
      'sort the holdings by a heading',
      'open a security',
      'nothing: a key in the portfolio',
      'group the holdings',
      'close a security',
      'nothing: a click on Home’s title',
      'show all holdings on Home',
    ],
    mayBeZero: /load: shift .*/g,
  },
  'bench/http.ts': {
    args: ['--rounds', '1', '--requests', '2000'],
    rows: [
      ...['1 KB, 16', '20 KB, 16', '1 KB, 1', '20 KB, 1', '1 MB, 1', '32 MB of media, 1', '32 MB of text, 1'].flatMap(
        (size) =>
          ['bare', 'limit', 'tally', 'ratio'].map(
            (row) => `${size} connection${size.endsWith('16') ? 's' : ''}  ${row}`,
          ),
      ),
      ...['media', 'text'].flatMap((kind) => ['alone', 'p99 ratio'].map((row) => `beside 32 MB of ${kind}  ${row}`)),
    ],
  },
  'bench/processes.ts': { args: ['1', '1'], rows: ['one process ', 'two processes ', 'ratio'] },
  'bench/text.ts': {
    args: ['english', 'chinese', 'agentmix'],
    rows: [
      '| ours v3 |',
      '| ours v4.7 |',
      '| ai-tokenizer claude |',
      '| ai-tokenizer o200k |',
      '| gpt-tokenizer o200k |',
      'ours v3 against ai-tokenizer claude:',
      'ours v4.7 against ai-tokenizer claude:',
      'ours v4.7 against ai-tokenizer o200k:',
      ...(hasNativePeer
        ? ['v3', 'v4.7'].flatMap((family) => [
            `${family}: `,
            `| pi-natives ${family} |`,
            `against pi-natives ${family}:`,
          ])
        : []),
    ],
  },
  'bench/watchlist.ts': {
    args: ['--symbols', '1000', '--rounds', '1', '--warm-up', '0'],
    rows: [
      'million closes',
      'GET /api/watchlist, ',
      'statements a request',
      'same SQL,',
      'server time  ',
      'server time with gzip',
      'server time / same SQL',
      'body',
      'Growth',
      'bare function,',
      'p95 ratio',
      'PUT /api/watchlist/order',
    ],
    mayBeZero: /written in \d+ s/g,
  },
};

/** Runs a benchmark in a process of its own and returns what it prints. Throws if its exit code is not 0. */
async function run(file: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  // From a terminal, a benchmark starts servers of its own.
  const env = { ...process.env, [CLUSTER_VARIABLE]: undefined };
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/main.ts', basename(file, '.ts'), ...args], {
    cwd: root,
    env,
    signal,
  });
  return stdout;
}

/** Returns the numbers of a text, without those within a word such as p99 or v4.7. */
function readFigures(text: string): number[] {
  return [...text.matchAll(/(?<![\w.])-?\d[\d,]*(?:\.\d+)?/g)].map(([figure]) => Number(figure.replaceAll(',', '')));
}

function assertMeasured(output: string, { rows, mayBeZero }: Benchmark): void {
  const lines = output.split('\n');
  const missing = rows.filter(
    (row) => !lines.some((line) => line.includes(row) && readFigures(line.split(row)[1]!).length > 0),
  );
  assert.deepEqual(missing, [], `rows without figures in:\n${output}`);
  assert.doesNotMatch(output, /NaN|Infinity|undefined|null/);
  const measured = mayBeZero ? output.replaceAll(mayBeZero, '') : output;
  for (const figure of readFigures(measured)) assert.ok(figure > 0, `${figure} was printed in:\n${output}`);
}

beforeEach((t) => t.skip(process.platform !== 'linux', 'processor time is read from /proc'));

test('has the smallest size of every benchmark', () => {
  const files = globSync('bench/*.ts', { cwd: root }).filter(
    (file) => file !== 'bench/main.ts' && !/\.(test|d)\.ts$/.test(file),
  );
  assert.deepEqual(Object.keys(BENCHMARKS).toSorted(), files.toSorted());
});

test.for(Object.entries(BENCHMARKS))('measures each row of %s at its smallest size', async ([file, benchmark], t) => {
  if (file === 'bench/text.ts') t.skip(!existsSync(peers), 'not run, for lack of the peers: npm ci --prefix bench');
  assertMeasured(await run(file, benchmark.args, t.signal), benchmark);
});

test('measures each row of bench/cluster.ts with a worker', async (t) => {
  t.skip((await findCitus()) === undefined, NO_CITUS);
  const output = await run('bench/cluster.ts', [...CLUSTER, '--workers', '1'], t.signal);
  // The coordinator takes no part in reads of the workers.
  assertMeasured(output, { args: [], rows: CLUSTER_ROWS, mayBeZero: /│ (?:0|'0\.00') /g });
});
