/**
 * `npm run bench -- processes [rounds] [kilobytes] [connections]` (default 5, 20 and 128) compares `tally start
 * --processes 2` with one process on one database, alternately. Bodies are never repeated in a run, and limits are off.
 * Prints medians, the CPU time of the servers and the generator's share of a core. Two processes and the generator need
 * three cores. With fewer cores the generator limits the rate, and the CPU time per request shows the effect of more
 * cores.
 */
import { availableParallelism } from 'node:os';
import { prepareDatabase, startRedis, startSeveral, type SeveralProcesses } from '../test/support/several-processes.ts';
import { agentBody } from './http/bodies.ts';
import { load, type LoadResult } from './http/load.ts';
import { median } from '../test/support/median.ts';
import { parseOptions } from '../tools/run/parse-options.ts';

const { positionals } = parseOptions({
  usage: 'npm run bench -- processes [rounds] [kilobytes] [connections]',
  allowPositionals: true,
});
const rounds = Number(positionals[0] ?? 5);
const size = Number(positionals[1] ?? 20) * 1_024;
// Enough connections that both processes have work while the generator waits for CPU time.
const connections = Number(positionals[2] ?? 128);
const REQUESTS = 4_000;
const MIN_RATIO = 1.6;

const redis = await startRedis();
const { db, key } = await prepareDatabase();
const settings = { TOKEN_COUNT_RATE_LIMITS: 'off' };
const start = (processes: number) => startSeveral(db, { processes, redisUrl: redis.url, settings });
const [singleProcess, twoProcesses] = await Promise.all([start(1), start(2)]);
try {
  const runs: { one: LoadResult; two: LoadResult }[] = [];
  const measure = ({ url, listPids: pids }: SeveralProcesses) =>
    load(
      { url, key, pids: pids() },
      Array.from({ length: REQUESTS }, () => agentBody(size)),
      connections,
    );
  for (let round = 0; round <= rounds; round += 1) {
    const first = round % 2 === 0;
    const a = await measure(first ? singleProcess : twoProcesses);
    const b = await measure(first ? twoProcesses : singleProcess);
    // The first round is for warm-up.
    if (round > 0) runs.push(first ? { one: a, two: b } : { one: b, two: a });
  }
  for (const target of ['one', 'two'] as const) {
    const medianOf = (select: (run: LoadResult) => number, digits = 0): string =>
      median(runs.map((run) => select(run[target]))).toFixed(digits);
    console.log(
      `${target} process${target === 'two' ? 'es' : '  '}  ${medianOf((run) => run.perSecond).padStart(6)} req/s  ` +
        `servers ${medianOf((run) => run.serverMicros)} µs of processor a request  ` +
        `generator ${medianOf((run) => 100 * run.generatorShare, 1)} % of a core`,
    );
  }
  const ratio = median(runs.map((run) => run.two.perSecond / run.one.perSecond));
  const processorRatio = median(runs.map((run) => run.two.serverMicros / run.one.serverMicros));
  console.log(
    `ratio ${ratio.toFixed(2)} (goal at least ${MIN_RATIO}), ${(2 / processorRatio).toFixed(2)} by processor time; ` +
      `${availableParallelism()} cores for two processes, the generator and whatever else runs`,
  );
} finally {
  await Promise.all([singleProcess.stop(), twoProcesses.stop()]);
  await redis.stop();
  await db.drop();
}
