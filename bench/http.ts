/**
 * Speed of the endpoint against bare `node:http` that reads, parses and answers:
 * `npm run bench -- http [rounds [part]]`, where part is a measurement's name or a piece of it. One process a server,
 * the generator here; bodies are never repeated, each goes to both servers. Counts are checked before time is taken.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { countInputTokens } from '../packages/token-counter/src/index.ts';
import { agentBody, mediaBody, questionBody, textBody } from './http/bodies.ts';
import { ask, load, type LoadResult, type Target } from './http/load.ts';
import { endServers, endWithServers, serve } from './http/servers.ts';
import { median } from '../test/support/median.ts';

const MB = 1024 * 1024;
const rounds = Number(process.argv[2] ?? 5);
const wanted = process.argv[3] ?? '';

const make = (count: number, body: () => Buffer): Buffer[] => Array.from({ length: count }, body);
const ms = (value: number): string => `${value.toFixed(2)} ms`;

async function checkCounts(tally: Target, bodies: readonly Buffer[]): Promise<void> {
  for (const body of bodies) {
    const told = await ask(tally, body);
    const own = countInputTokens(JSON.parse(body.toString()) as never);
    if (told.status !== 200 || told.body.input_tokens !== own)
      throw new Error(`counted ${JSON.stringify(told)} where the library says ${own}`);
  }
}

async function compare(
  name: string,
  bare: Target,
  tally: Target,
  count: number,
  body: () => Buffer,
  goal: number,
): Promise<void> {
  await checkCounts(tally, make(20, body));
  const runs: { bare: LoadResult; tally: LoadResult }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const bodies = make(count, body);
    const first = round % 2 === 0;
    const one = await load(first ? bare : tally, bodies, 16);
    const other = await load(first ? tally : bare, bodies, 16);
    // The first round warms both up.
    if (round > 0) runs.push(first ? { bare: one, tally: other } : { bare: other, tally: one });
  }
  for (const who of ['bare', 'tally'] as const) {
    const of = (pick: (run: LoadResult) => number): number => median(runs.map((run) => pick(run[who])));
    const line = `${of((run) => run.perSecond)
      .toFixed(0)
      .padStart(6)} req/s  p50 ${ms(of((run) => run.p50))}  p99 ${ms(of((run) => run.p99))}`;
    console.log(
      `${name}  ${who.padEnd(5)}  ${line}  server ${of((run) => run.serverMicros).toFixed(0)} µs of processor ` +
        `a request  failures ${of((run) => run.failures)}  generator ${Math.round(100 * of((run) => run.cpu))} % ` +
        'of a core',
    );
  }
  const byTime = median(runs.map((run) => run.tally.perSecond / run.bare.perSecond));
  const byProcessor = median(runs.map((run) => run.bare.serverMicros / run.tally.serverMicros));
  console.log(
    `${name}  ratio  ${byTime.toFixed(2)} of its rate, ${byProcessor.toFixed(2)} by processor time (goal at ` +
      `least ${goal})`,
  );
}

async function compareLarge(
  name: string,
  bare: Target,
  tally: Target,
  body: () => Buffer,
  goal: string,
): Promise<void> {
  const times: Record<'parse' | 'library' | 'bare' | 'tally', number[]> = {
    parse: [],
    library: [],
    bare: [],
    tally: [],
  };
  const timed = async (who: keyof typeof times, work: () => unknown): Promise<void> => {
    const from = performance.now();
    await work();
    times[who].push(performance.now() - from);
  };
  for (let round = 0; round < Math.min(rounds, 5); round += 1) {
    const bytes = body();
    let request: unknown;
    await timed('parse', () => (request = JSON.parse(bytes.toString())));
    await timed('bare', () => load(bare, [bytes], 1));
    await timed('tally', () => load(tally, [bytes], 1));
    let own = 0;
    await timed('library', () => (own = countInputTokens(request as never)));
    const told = await ask(tally, bytes);
    if (told.body.input_tokens !== own)
      throw new Error(`counted ${JSON.stringify(told)} where the library says ${own}`);
  }
  const [parse, library, bareTime, tallyTime] = [
    median(times.parse),
    median(times.library),
    median(times.bare),
    median(times.tally),
  ];
  console.log(
    `${name}  JSON.parse ${ms(parse)}  library ${ms(library)}  bare request ${ms(bareTime)}  ` +
      `tally request ${ms(tallyTime)}`,
  );
  console.log(
    `${name}  tally / bare ${(tallyTime / bareTime).toFixed(2)}  ` +
      `tally / parse ${(tallyTime / parse).toFixed(2)}  tally / (parse + library) ` +
      `${(tallyTime / (parse + library)).toFixed(2)}  (goal ${goal})`,
  );
}

/** Small requests below saturation, alone and while another process sends one 32 MB body after the other. */
async function latencyUnderLoad(tally: Target): Promise<void> {
  const small = (): Promise<LoadResult> =>
    load(
      tally,
      make(4_000, () => questionBody(1024)),
      4,
      2,
    );
  await small();
  for (const kind of ['media', 'text'] as const) {
    const ratios: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const alone = await small();
      const sender = spawn(
        process.execPath,
        [join(import.meta.dirname, 'http/send-large.ts'), tally.url, tally.key!, kind],
        { stdio: ['pipe', 'pipe', 'inherit'] },
      );
      endWithServers(sender);
      await once(sender.stdout, 'data');
      const beside = await small();
      const counted = once(sender.stdout, 'data');
      sender.stdin.end();
      console.log(
        `1 KB beside 32 MB of ${kind}  alone p99 ${ms(alone.p99)}  beside p99 ${ms(beside.p99)}  ` +
          `${String((await counted)[0]).trim()}  generator ${Math.round(100 * beside.cpu)} % of a core`,
      );
      ratios.push(beside.p99 / alone.p99);
    }
    console.log(`1 KB beside 32 MB of ${kind}  p99 ratio ${median(ratios).toFixed(1)} (goal at most 10)`);
  }
}

try {
  const bare = await serve('serve-bare.ts');
  const tally = await serve('serve-tally.ts');
  const parts: Record<string, () => Promise<void>> = {
    '1 KB': () => compare(' 1 KB', bare, tally, 20_000, () => questionBody(1024), 0.5),
    '20 KB': () => compare('20 KB', bare, tally, 3_000, () => agentBody(20 * 1024), 0.15),
    '32 MB media': () =>
      compareLarge('32 MB media', bare, tally, () => mediaBody(31.5 * MB), 'tally / parse at most 3'),
    '32 MB text': () =>
      compareLarge('32 MB text ', bare, tally, () => textBody(31.5 * MB), 'tally / (1.3 parse + library) about 1'),
    'latency beside': () => latencyUnderLoad(tally),
  };
  for (const [name, measure] of Object.entries(parts)) if (name.includes(wanted)) await measure();
} finally {
  endServers();
}
