/**
 * `npm run bench -- start [rounds]`: time from `npm start` to its `ready` line, first start (empty data directory) and
 * later starts, beside a bare Node server that prints `ready` once it listens. Interleaved rounds, medians, ratios.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWeb } from '../scripts/build-web.ts';

const rounds = Number(process.argv[2] ?? 7);
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tally-bench-start-'));
const bareServer = join(folder, 'hello.mjs');
writeFileSync(
  bareServer,
  "import { createServer } from 'node:http';\nconst server = createServer((_, answer) => answer.end('hello'));\n" +
    'server.listen(0, () => console.log(`ready http://127.0.0.1:${server.address().port}`));\n',
);

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Milliseconds until the command prints its ready line; ends it in order afterwards. */
async function timeUntilReady(command: string, args: string[], dataDir: string): Promise<number> {
  const started = performance.now();
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' };
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const closed = once(child, 'close');
  let text = '';
  const took = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (/^ready http/m.test(text)) resolve(performance.now() - started);
    });
    void closed.then(() => reject(new Error(`${command} ${args.join(' ')} ended before it was ready:\n${text}`)));
  });
  process.kill(-child.pid!, 'SIGTERM');
  await closed;
  return took;
}

const times: Record<'bare' | 'first' | 'later' | 'direct', number[]> = { bare: [], first: [], later: [], direct: [] };
try {
  // The first `npm start` of a clone also builds the web app; that is timed apart, since it happens once a change.
  const buildStarted = performance.now();
  const built = await buildWeb({ ifStale: true });
  if (built) console.log(`built the web app in ${((performance.now() - buildStarted) / 1000).toFixed(1)} s`);
  const kept = join(folder, 'kept');
  await timeUntilReady('npm', ['start', '--silent'], kept);
  for (let i = 0; i < rounds; i += 1) {
    times.bare.push(await timeUntilReady(process.execPath, [bareServer], kept));
    times.first.push(await timeUntilReady('npm', ['start', '--silent'], join(folder, `first-${i}`)));
    times.later.push(await timeUntilReady('npm', ['start', '--silent'], kept));
    times.direct.push(await timeUntilReady(process.execPath, ['bin/tally.mjs', 'start'], kept));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const bare = median(times.bare);
const line = (name: string, values: number[]): string =>
  `${name.padEnd(34)} median ${median(values).toFixed(0).padStart(5)} ms  min ${Math.min(...values)
    .toFixed(0)
    .padStart(5)}  max ${Math.max(...values)
    .toFixed(0)
    .padStart(5)}  ${(median(values) / bare).toFixed(1)} × bare`;
console.log(`${rounds} interleaved rounds`);
console.log(line('bare node server', times.bare));
console.log(line('npm start, empty data directory', times.first));
console.log(line('npm start, later', times.later));
console.log(line('node bin/tally.mjs start, later', times.direct));
