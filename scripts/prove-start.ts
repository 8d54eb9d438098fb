/**
 * `npm run lab -- prove-start [kills] [seed]`: kills the service at random moments of its first start and of later
 * starts, and starts it again each time; then starts two at once on an empty external database. Prints the figures;
 * exit code 1 where one start fails.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbedded } from '../src/database/embedded.ts';
import { processesOf, type ServiceProcess, startService } from './run/service-process.ts';

const kills = Number(process.argv[2] ?? 10);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const random = randomFrom(seed);
const folder = mkdtempSync(join(tmpdir(), 'tally-prove-'));
const failures: string[] = [];

try {
  // The fastest of a few starts, so that on a busy machine the kills still fall into the start and not behind it.
  const first = Math.min(await timeOneStart(join(folder, 'another')), await timeOneStart(join(folder, 'measure')));
  const later = Math.min(await timeOneStart(join(folder, 'another')), await timeOneStart(join(folder, 'measure')));
  console.log(`first start ${first.toFixed(0)} ms, later start ${later.toFixed(0)} ms, seed ${seed}`);
  for (let i = 0; i < kills; i += 1) {
    // Even spread with a random moment in each part, so that ten moments cover the whole of a start.
    const share = (i + random()) / kills;
    await survive(
      `first start killed after ${(share * first).toFixed(0)} ms`,
      join(folder, `first-${i}`),
      share * first,
    );
  }
  for (let i = 0; i < kills; i += 1) {
    const share = (i + random()) / kills;
    await survive(`later start killed after ${(share * later).toFixed(0)} ms`, join(folder, 'measure'), share * later);
  }
  await refuseSecond(join(folder, 'measure'));
  await startTwoAtOnce();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`FAILED ${failure}`);
console.log(failures.length === 0 ? 'every start worked' : `${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;

async function timeOneStart(dataDir: string): Promise<number> {
  const service = startService({ DATA_DIR: dataDir });
  const took = await service.readyAfter;
  await service.end('SIGTERM');
  return took;
}

/**
 * Kills a start after `milliseconds`; the next one must become ready, count a text with the first run's key, and end in
 * order.
 */
async function survive(what: string, dataDir: string, milliseconds: number): Promise<void> {
  const victim = startService({ DATA_DIR: dataDir });
  await sleep(milliseconds);
  await victim.end('SIGKILL');
  const wasReady = await Promise.race([
    victim.ready.then(
      () => true,
      () => false,
    ),
    sleep(0).then(() => false),
  ]);
  const next = startService({ DATA_DIR: dataDir });
  try {
    const took = await next.readyAfter;
    const count = await countWith(await next.ready, dataDir);
    console.log(
      `ok     ${what}${wasReady ? ' (it was ready already)' : ''}: ready again after ${took.toFixed(0)} ms, ` +
        `counted ${count} tokens`,
    );
  } catch (error) {
    failures.push(`${what}: ${(error as Error).message}`);
  }
  await endInOrder(next, what, dataDir);
}

async function endInOrder(service: ServiceProcess, what: string, dataDir: string): Promise<void> {
  const code = await service.end('SIGTERM');
  if (code !== 0) failures.push(`${what}: the service ended with ${code} after SIGTERM\n${service.output()}`);
  const left = await orphans(dataDir);
  if (left.length > 0) failures.push(`${what}: processes ${left.join(', ')} were left behind`);
}

/** What still runs in the folder after ten seconds of grace. */
async function orphans(dataDir: string): Promise<number[]> {
  for (let i = 0; i < 100 && processesOf(dataDir).length > 0; i += 1) await sleep(100);
  return processesOf(dataDir);
}

async function countWith(address: string, dataDir: string): Promise<number> {
  const { api_key: key } = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')) as { api_key: string };
  return countOnce(address, key);
}

async function countOnce(address: string, key: string): Promise<number> {
  const answer = await fetch(`${address}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'svc-version': '2023-06-01' },
    body: JSON.stringify({ model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'Hello, world' }] }),
  });
  const body = (await answer.json()) as { input_tokens?: number };
  if (answer.status !== 200 || !body.input_tokens)
    throw new Error(`a count answered ${answer.status} ${JSON.stringify(body)}`);
  return body.input_tokens;
}

async function refuseSecond(dataDir: string): Promise<void> {
  const holder = startService({ DATA_DIR: dataDir });
  await holder.ready;
  const second = startService({ DATA_DIR: dataDir });
  const outcome = await second.ready.then(
    () => 'became ready',
    () => 'refused',
  );
  const sentence = second.output().trim();
  if (outcome !== 'refused' || sentence.split('\n').length !== 1)
    failures.push(`a second start on one data directory ${outcome}: ${sentence}`);
  else console.log(`ok     a second start on the same data directory: ${sentence}`);
  await second.end('SIGTERM');
  await endInOrder(holder, 'the first of two starts', dataDir);
}

/** Two processes at once on an external database that holds nothing yet; both must become ready and serve. */
async function startTwoAtOnce(): Promise<void> {
  const server = await startEmbedded({
    dataDir: join(folder, 'external'),
    secrets: { authenticator: 'one', service: 'two', assistant: 'three' },
    throwaway: true,
  });
  try {
    const settings = { DB_URL: server.urls.authenticator, DB_SERVICE_ROLE_KEY: 'two', DB_OWNER_URL: server.ownerUrl };
    const both = ['a', 'b'].map((name) => startService({ ...settings, DATA_DIR: join(folder, `external-${name}`) }));
    const results = await Promise.allSettled(both.map((service) => service.readyAfter));
    for (const [i, result] of results.entries()) {
      if (result.status === 'rejected') failures.push(`two at once, number ${i + 1}: ${String(result.reason)}`);
      else
        console.log(
          `ok     two at once on an empty external database, number ${i + 1}: ` +
            `ready after ${result.value.toFixed(0)} ms, ${await readiness(await both[i]!.ready)}`,
        );
    }
    await Promise.all(
      both.map((service, i) =>
        endInOrder(service, `two at once, number ${i + 1}`, join(folder, `external-${'ab'[i]}`)),
      ),
    );
  } finally {
    await server.stop();
  }
}

async function readiness(address: string): Promise<string> {
  const answer = await fetch(`${address}/readyz`);
  const text = await answer.text();
  if (answer.status !== 200) failures.push(`readyz answered ${answer.status} ${text}`);
  return `readyz ${text}`;
}

/** mulberry32: the same moments again for the same seed. */
function randomFrom(state: number): () => number {
  let a = state | 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
