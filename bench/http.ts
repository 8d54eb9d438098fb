/**
 * `npm run bench -- http [--rounds 5] [--requests 20000] [--part NAME]` compares the endpoint with two servers of plain
 * `node:http`: a bare one, which reads, parses and responds, and the limit, which also counts with the library. `part`
 * is the name of a measurement or a part of it. Each server has its own process, and the generator runs in this one.
 * Bodies are never repeated, and each is sent to every server. Counts are compared with the library's.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { agentBody, mediaBody, questionBody, textBody } from './http/bodies.ts';
import { load, type LoadResult, type Target } from './http/load.ts';
import { killServers, registerChild, startServer } from './http/servers.ts';
import { median } from '../test/support/median.ts';
import { parseOptions } from '../tools/run/parse-options.ts';

const SERVER_NAMES = ['bare', 'limit', 'tally'] as const;
type ServerName = (typeof SERVER_NAMES)[number];
type Servers = Record<ServerName, Target>;

const MB = 1024 * 1024;
const { values: options } = parseOptions({
  usage: 'npm run bench -- http [--rounds 5] [--requests 20000] [--part NAME]',
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

interface Size {
  rounds: number;
  /** Requests of a round. */
  count: number;
  /** Number of connections. Each has one request at a time. */
  connections: number;
  body: () => Buffer;
}

/** Sends the same bodies to each server in turns, round by round. */
async function compare(name: string, servers: Servers, size: Size): Promise<void> {
  const runs: Record<ServerName, LoadResult>[] = [];
  for (let round = 0; round <= size.rounds; round += 1) {
    const bodies = createBodies(size.count, size.body);
    const run: Partial<Record<ServerName, LoadResult>> = {};
    for (const place of SERVER_NAMES.keys()) {
      const server = SERVER_NAMES[(round + place) % SERVER_NAMES.length]!;
      run[server] = await load(servers[server], bodies, size.connections);
    }
    assert.deepEqual(run.tally!.counts, run.limit!.counts);
    // The first round is for warm-up.
    if (round > 0) runs.push(run as Required<typeof run>);
  }
  const medianOf = (select: (run: Record<ServerName, LoadResult>) => number): number => median(runs.map(select));
  /** Processor time is counted in steps of 10 ms, too few for the median of short rounds. */
  const processorMicros = (server: ServerName): number =>
    runs.reduce((sum, run) => sum + run[server].serverMicros, 0) / runs.length;
  for (const server of SERVER_NAMES)
    console.log(
      `${name}  ${server.padEnd(5)}  ${medianOf((run) => run[server].perSecond).toFixed(1)} req/s  ` +
        `p50 ${formatMs(medianOf((run) => run[server].p50))}  p99 ${formatMs(medianOf((run) => run[server].p99))}  ` +
        `server ${processorMicros(server).toFixed(0)} µs of processor a request  ` +
        `generator ${(100 * medianOf((run) => run[server].generatorShare)).toFixed(1)} % of a core`,
    );
  console.log(
    `${name}  ratio  ${medianOf((run) => run.tally.p50 / run.limit.p50).toFixed(2)} times the limit (goal 1.25), ` +
      `${(processorMicros('tally') / processorMicros('limit')).toFixed(2)} by processor time, ` +
      `${medianOf((run) => run.tally.perSecond / run.bare.perSecond).toFixed(2)} of the bare rate`,
  );
}

/** Measures small requests below saturation, first separately and then while another process sends 32 MB bodies. */
async function latencyUnderLoad({ tally }: Servers): Promise<void> {
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
  const servers: Servers = {
    bare: await startServer('serve-bare.ts'),
    limit: await startServer('serve-bare.ts', '--count'),
    tally: await startServer('serve-tally.ts'),
  };
  const kilobyte = () => questionBody(1024);
  const conversation = () => agentBody(20 * 1024);
  const sizes: Record<string, Size> = {
    ' 1 KB, 16 connections': { rounds, count: requests, connections: 16, body: kilobyte },
    '20 KB, 16 connections': { rounds, count: Math.ceil(0.15 * requests), connections: 16, body: conversation },
    ' 1 KB, 1 connection': { rounds: 10 * rounds, count: 100, connections: 1, body: kilobyte },
    '20 KB, 1 connection': { rounds: 10 * rounds, count: 30, connections: 1, body: conversation },
    ' 1 MB, 1 connection': { rounds: 2 * rounds, count: 4, connections: 1, body: () => textBody(MB) },
    '32 MB of media, 1 connection': { rounds, count: 1, connections: 1, body: () => mediaBody(31.5 * MB) },
    '32 MB of text, 1 connection': { rounds, count: 1, connections: 1, body: () => textBody(31.5 * MB) },
  };
  for (const [name, size] of Object.entries(sizes)) if (name.includes(options.part)) await compare(name, servers, size);
  if ('latency beside'.includes(options.part)) await latencyUnderLoad(servers);
} finally {
  killServers();
}
