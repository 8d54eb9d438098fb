import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { deterministicEventId } from '../../../src/platform/analytics/analytics.ts';
import { startAnalyticsReceiver } from '../analytics-receiver.ts';
import { createTestDatabase } from '../database.ts';

interface Outcome {
  kills: number;
  calls: number;
  /** Events that the receiver does not have, beside the poisoned one. */
  missing: string[];
  /** Ids that are stored more than once. */
  duplicated: number;
  /** Events that are quarantined. */
  quarantined: string[];
  /** The one that the receiver refuses for good. */
  poisoned: string;
}

/** The id of an event of the process, by its number. */
const createEventId = (at: number): string =>
  at % 20 === 0 ? deterministicEventId(`subscription_changed\nchange ${at}`) : deterministicEventId(`event ${at}`);

/**
 * Has a process take `events` events and forward them to a receiver that fails each third call and refuses any batch
 * with one of them; kills it (SIGKILL) `kills` times at random moments, and starts it again at what it had said last.
 */
export async function runOutboxKills({
  events,
  kills,
  seed,
  longest,
}: {
  events: number;
  kills: number;
  seed: number;
  /** Milliseconds after the first commit of a process before which it is killed. */
  longest: number;
}): Promise<Outcome> {
  let state = seed >>> 0;
  const nextRandom = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const poisoned = createEventId(Math.floor(events / 2) + 1);
  const db = await createTestDatabase();
  const receiver = await startAnalyticsReceiver({ failureInterval: 3, poisoned: ({ uuid }) => uuid === poisoned });
  try {
    await db.owner(`insert into public.all_users (idp_id) values ('user_a')`);
    let receivedMessages = 0;
    let killed = 0;
    for (let ended = false; !ended;) {
      const call = JSON.stringify([db.urls, receiver.host, receivedMessages, events]);
      const child = spawn(process.execPath, [fileURLToPath(new URL('process.ts', import.meta.url)), call], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
      const begun = new Promise<void>((resolve) => {
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          receivedMessages = Math.max(receivedMessages, ...text.trim().split('\n').map(Number));
          resolve();
        });
      });
      if (killed < kills) {
        await Promise.race([begun, exited]);
        await Promise.race([wait(nextRandom() * longest), exited]);
        if (child.kill('SIGKILL')) killed += 1;
      }
      const code = await exited;
      ended = code === 0;
      if (code !== 0 && code !== null) throw new Error(`the process ended with ${code}`);
    }
    const quarantined = await db.owner<{ id: string }>(
      'select id from public.analytics_events where quarantined_at is not null',
    );
    const twice = await db.owner('select from public.analytics_events group by id having count(*) > 1');
    const ids = Array.from({ length: events }, (_, index) => createEventId(index));
    return {
      ...{ kills: killed, calls: receiver.calls, poisoned, duplicated: twice.length },
      missing: ids.filter((id) => id !== poisoned && !receiver.receivedEvents.has(id)),
      quarantined: quarantined.map(({ id }) => id),
    };
  } finally {
    receiver.close();
    await db.drop();
  }
}
