/**
 * What tracing costs the count path: `npm run bench -- tracing [rounds]`. The same server untraced twice (the noise of
 * the pair), traced, and traced for one request in a hundred, in turn; a question of 1 KB, bodies never repeated.
 */
import { questionBody } from './http/bodies.ts';
import { ask, load, type LoadResult, type Target } from './http/load.ts';
import { endServers, serve } from './http/servers.ts';
import { median } from '../test/support/median.ts';

const rounds = Number(process.argv[2] ?? 7);
const REQUESTS = 8_000;

const SAME = JSON.stringify({ model: 'claude-opus-4-6', messages: [{ role: 'user', content: 'Hello' }] });

try {
  const collector = await serve('serve-collector.ts');
  const servers: Readonly<Record<string, Target>> = {
    off: await serve('serve-tally.ts'),
    'off again': await serve('serve-tally.ts'),
    'on, 1 in 100': await serve('serve-tally.ts', '2', collector.url, '0.01'),
    on: await serve('serve-tally.ts', '2', collector.url),
  };
  const answers = await Promise.all(Object.values(servers).map((target) => ask(target, Buffer.from(SAME))));
  if (new Set(answers.map(({ status, body }) => `${status} ${body.input_tokens}`)).size !== 1)
    throw new Error('The servers do not count alike.');
  const runs: Record<string, LoadResult>[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const names = Object.keys(servers);
    const order = names.map((_, at) => names[(at + round) % names.length]!);
    const run: Record<string, LoadResult> = {};
    for (const name of order)
      run[name] = await load(
        servers[name]!,
        Array.from({ length: REQUESTS }, () => questionBody(1024)),
        16,
      );
    // The first round warms all up.
    if (round > 0) runs.push(run);
  }
  for (const name of Object.keys(servers)) {
    const micros = median(runs.map((run) => run[name]!.serverMicros));
    const ratio = median(runs.map((run) => run[name]!.serverMicros / run['off']!.serverMicros));
    const rate = median(runs.map((run) => run[name]!.perSecond));
    const failures = runs.reduce((sum, run) => sum + run[name]!.failures, 0);
    console.log(
      `${name.padEnd(13)} ${micros.toFixed(1)} µs of processor a request, ${ratio.toFixed(2)} of off; ` +
        `${rate.toFixed(0)} req/s, ${failures} failures`,
    );
  }
} finally {
  endServers();
}
