import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { deterministicEventId } from '../../../src/platform/analytics/analytics.ts';
import { startAnalyticsReceiver } from '../analytics-receiver.ts';
import { createTestDatabase } from '../database.ts';

interface Outcome {
  kills: number;
  calls: number;
  /** Ids of events that the receiver lacks, except for the poisoned one. */
  missing: string[];
  /** Number of ids that are stored more than once. */
  duplicated: number;
  /** Ids of quarantined events. */
  quarantined: string[];
  /** Id of the event that the receiver always rejects. */
  poisoned: string;
}

/** Returns the id of a process's event by its number. */
const createEventId = (at: number): string =>
  at % 20 === 0 ? deterministicEventId(`subscription_changed\nchange ${at}`) : deterministicEventId(`event ${at}`);

/**
 * Makes a process capture `events` events and forward them to a receiver that fails every third call and rejects any
 * batch with the poisoned event. Kills the process (SIGKILL) `kills` times at random times, and restarts it after its
 * last printed event.
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
  /** Maximum time in ms between the first commit of a process and its kill. */
  longest: number;
}): Promise<Outcome> {
  let state = seed >>> 0;
  const nextRandom = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
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
      kills: killed,
      calls: receiver.calls,
      poisoned,
      duplicated: twice.length,
      missing: ids.filter((id) => id !== poisoned && !receiver.receivedEvents.has(id)),
      quarantined: quarantined.map(({ id }) => id),
    };
  } finally {
    receiver.close();
    await db.drop();
  }
}
