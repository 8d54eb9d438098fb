/**
 * `npm run bench -- http [--rounds 5] [--requests 20000] [--part NAME]` compares the endpoint with a bare `node:http`
 * server that reads, parses and responds. A round sends `requests` bodies of 1 KB, and fewer larger ones. `part` is the
 * name of a measurement or a part of it. Each server has its own process, and the generator runs in this one. Bodies are never repeated, and each is sent to both servers. Counts are checked before the
 * measurement.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countInputTokens } from '../packages/token-counter/src/index.ts';
import { agentBody, mediaBody, questionBody, textBody } from './http/bodies.ts';
import { requestCount, load, type LoadResult, type Target } from './http/load.ts';
import { killServers, registerChild, startServer } from './http/servers.ts';
import { median } from '../test/support/median.ts';

const MB = 1024 * 1024;
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '20000' },
    part: { type: 'string', default: '' },
  },
});
const rounds = Number(options.rounds);
const requests = Number(options.requests);

const createBodies = (count: number, body: () => Buffer): Buffer[] => Array.from({ length: count }, body);
const formatMs = (value: number): string => `${value.toFixed(2)} ms`;

async function checkCounts(tally: Target, bodies: readonly Buffer[]): Promise<void> {
  for (const body of bodies) {
    const response = await requestCount(tally, body);
    const expected = countInputTokens(JSON.parse(body.toString()) as never);
    if (response.status !== 200 || response.body.input_tokens !== expected)
      throw new Error(`counted ${JSON.stringify(response)} but the library counts ${expected}`);
  }
}

async function compare(name: string, bare: Target, tally: Target, count: number, body: () => Buffer): Promise<void> {
  await checkCounts(tally, createBodies(20, body));
  const runs: { bare: LoadResult; tally: LoadResult }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const bodies = createBodies(count, body);
    const first = round % 2 === 0;
    const firstRun = await load(first ? bare : tally, bodies, 16);
    const secondRun = await load(first ? tally : bare, bodies, 16);
    // The first round is for warm-up.
    if (round > 0) runs.push(first ? { bare: firstRun, tally: secondRun } : { bare: secondRun, tally: firstRun });
  }
  for (const server of ['bare', 'tally'] as const) {
    const medianOf = (select: (run: LoadResult) => number): number => median(runs.map((run) => select(run[server])));
    const line = `${medianOf((run) => run.perSecond)
      .toFixed(0)
      .padStart(6)} req/s  p50 ${formatMs(medianOf((run) => run.p50))}  p99 ${formatMs(medianOf((run) => run.p99))}`;
    console.log(
      `${name}  ${server.padEnd(5)}  ${line}  server ${medianOf((run) => run.serverMicros).toFixed(0)} µs of processor ` +
        `a request  generator ${(100 * medianOf((run) => run.generatorShare)).toFixed(1)} % of a core`,
    );
  }
  const rateRatio = median(runs.map((run) => run.tally.perSecond / run.bare.perSecond));
  const processorRatio = median(runs.map((run) => run.bare.serverMicros / run.tally.serverMicros));
  console.log(`${name}  ratio  ${rateRatio.toFixed(2)} of its rate, ${processorRatio.toFixed(2)} by processor time`);
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
  const recordTime = async (server: keyof typeof times, run: () => unknown): Promise<void> => {
    const from = performance.now();
    await run();
    times[server].push(performance.now() - from);
  };
  for (let round = 0; round < Math.min(rounds, 5); round += 1) {
    const bytes = body();
    let request: unknown;
    await recordTime('parse', () => {
      request = JSON.parse(bytes.toString());
    });
    await recordTime('bare', () => load(bare, [bytes], 1));
    await recordTime('tally', () => load(tally, [bytes], 1));
    let expected = 0;
    await recordTime('library', () => {
      expected = countInputTokens(request as never);
    });
    const response = await requestCount(tally, bytes);
    if (response.body.input_tokens !== expected)
      throw new Error(`counted ${JSON.stringify(response)} but the library counts ${expected}`);
  }
  const parse = median(times.parse);
  const library = median(times.library);
  const bareTime = median(times.bare);
  const tallyTime = median(times.tally);
  console.log(
    `${name}  JSON.parse ${formatMs(parse)}  library ${formatMs(library)}  bare request ${formatMs(bareTime)}  ` +
      `tally request ${formatMs(tallyTime)}`,
  );
  console.log(
    `${name}  tally / bare ${(tallyTime / bareTime).toFixed(2)}  ` +
      `tally / parse ${(tallyTime / parse).toFixed(2)}  tally / (parse + library) ` +
      `${(tallyTime / (parse + library)).toFixed(2)}  (goal ${goal})`,
  );
}

/** Measures small requests below saturation, first separately and then while another process sends 32 MB bodies. */
async function latencyUnderLoad(tally: Target): Promise<void> {
  const sendSmall = (): Promise<LoadResult> =>
    load(
      tally,
      createBodies(Math.ceil(requests / 5), () => questionBody(1024)),
      4,
      2,
    );
  await sendSmall();
  for (const kind of ['media', 'text'] as const) {
    const ratios: number[] = [];
    for (let round = 0; round < Math.min(rounds, 3); round += 1) {
      const unloaded = await sendSmall();
      const sender = spawn(
        process.execPath,
        [join(import.meta.dirname, 'http/send-large.ts'), tally.url, tally.key!, kind],
        { stdio: ['pipe', 'pipe', 'inherit'] },
      );
      registerChild(sender);
      await once(sender.stdout, 'data');
      const underLoad = await sendSmall();
      const counted = once(sender.stdout, 'data');
      sender.stdin.end();
      console.log(
        `1 KB beside 32 MB of ${kind}  alone p99 ${formatMs(unloaded.p99)}  beside p99 ${formatMs(underLoad.p99)}  ` +
          `${String((await counted)[0]).trim()}  generator ${(100 * underLoad.generatorShare).toFixed(1)} % of a core`,
      );
      ratios.push(underLoad.p99 / unloaded.p99);
    }
    console.log(`1 KB beside 32 MB of ${kind}  p99 ratio ${median(ratios).toFixed(1)} (goal at most 10)`);
  }
}

try {
  const bare = await startServer('serve-bare.ts');
  const tally = await startServer('serve-tally.ts');
  const measurements: Record<string, () => Promise<void>> = {
    '1 KB': () => compare(' 1 KB', bare, tally, requests, () => questionBody(1024)),
    '20 KB': () => compare('20 KB', bare, tally, Math.ceil(0.15 * requests), () => agentBody(20 * 1024)),
    '32 MB media': () =>
      compareLarge('32 MB media', bare, tally, () => mediaBody(31.5 * MB), 'tally / parse at most 3'),
    '32 MB text': () =>
      compareLarge('32 MB text ', bare, tally, () => textBody(31.5 * MB), 'tally / (1.3 parse + library) about 1'),
    'latency beside': () => latencyUnderLoad(tally),
  };
  for (const [name, measure] of Object.entries(measurements)) if (name.includes(options.part)) await measure();
} finally {
  killServers();
}
