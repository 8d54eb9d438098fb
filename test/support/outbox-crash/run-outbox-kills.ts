import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { deterministicEventId } from '../../../src/platform/analytics/analytics.ts';
import { startAnalyticsReceiver } from '../analytics-receiver.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';

/** Number of events in a transaction of the process. */
const BATCH_SIZE = 20;

interface Outcome {
  /** Ids of events that the receiver lacks, except for the poisoned one. */
  missing: string[];
  /** Number of ids that are stored more than once. */
  duplicated: number;
  /** Ids of quarantined events. */
  quarantined: string[];
  /** Id of the event that the receiver always rejects. */
  poisoned: string;
}

/** Lets the time of a killed process's claims pass, once the server has noticed its end. */
async function endClaims({ owner }: TestDatabase): Promise<void> {
  const selectSessions = `select from pg_stat_activity
    where datname = current_database() and application_name = 'tally'`;
  await eventually(async () => (await owner(selectSessions)).length === 0);
  await owner('update public.analytics_events set claimed_until = now() where claimed_until > now()');
}

/** Returns the id of a process's event by its number. */
const createEventId = (at: number): string =>
  at % BATCH_SIZE === 0
    ? deterministicEventId(`subscription_changed\nchange ${at}`)
    : deterministicEventId(`event ${at}`);

/**
 * Makes a process capture `events` events and forward them to a receiver that fails every third call and rejects any
 * batch with the poisoned event. Kills the process (SIGKILL) `kills` times, each after a random number of its commits,
 * and restarts it after its last printed event. Throws if a process ends in another way.
 */
export async function runOutboxKills({
  events,
  kills,
  seed,
}: {
  events: number;
  kills: number;
  seed: number;
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
    await db.owner(`insert into public.all_users (idp_id) values ('user_a'), ('user_b')`);
    let captured = 0;
    // Each process captures its own part of the events, so that none is done before it is killed.
    for (let part = 1; part <= kills + 1; part += 1) {
      const isLast = part > kills;
      const end = BATCH_SIZE * Math.floor((events / BATCH_SIZE) * (part / (kills + 1)));
      const killAt = captured + nextRandom() * (end - captured);
      const call = JSON.stringify([db.urls, receiver.host, captured, end, BATCH_SIZE, isLast]);
      const child = spawn(process.execPath, [fileURLToPath(new URL('process.ts', import.meta.url)), call], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        captured = Math.max(captured, ...text.trim().split('\n').map(Number));
        if (!isLast && captured >= killAt) child.kill('SIGKILL');
      });
      const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
      if (isLast ? code !== 0 : signal !== 'SIGKILL') throw new Error(`the process ended with ${code ?? signal}`);
      await endClaims(db);
    }
    const quarantined = await db.owner<{ id: string }>(
      'select id from public.analytics_events where quarantined_at is not null',
    );
    const twice = await db.owner('select from public.analytics_events group by id having count(*) > 1');
    const ids = Array.from({ length: events }, (_, index) => createEventId(index));
    return {
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
