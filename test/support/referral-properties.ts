import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { TestDatabase } from './database.ts';
import { type Participants, createRunner, type RunEvents } from './referral-runner.ts';
import { createPersonIds, type ReferralEvent, referralSequence } from './referral-sequences.ts';

interface Outcome {
  sequences: number;
  events: number;
  referrals: number;
  completed: number;
  /** Number of event groups that both processes ran at once. */
  raced: number;
}

/** Starts a second process of the service. */
async function startSecondProcess(db: TestDatabase): Promise<{ run: RunEvents; stop(): Promise<void> }> {
  // This variable would make the process a test file.
  const { NODE_TEST_CONTEXT: _none, ...env } = process.env;
  const file = fileURLToPath(new URL('./referral-runner.ts', import.meta.url));
  const child = fork(file, [JSON.stringify(db.urls)], { env, execArgv: [] });
  await once(child, 'message');
  return {
    async run(participants, events) {
      if (events.length === 0) return;
      const answered = once(child, 'message') as Promise<[{ done: boolean; message?: string }]>;
      child.send({ cast: participants, events });
      const [{ done, message }] = await answered;
      if (!done) throw new Error(`The second process failed: ${message}`);
    },
    async stop() {
      if (!child.connected) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/**
 * Runs `runs` random sequences, each with new people, in two processes on one database, and checks the rules after
 * each. Throws with the smallest sequence that violates a rule, and the seed that repeats it.
 */
export async function checkSequences(db: TestDatabase, runs: number, seed: number): Promise<Outcome> {
  const first = createRunner(db.urls);
  const second = await startSecondProcess(db);
  const outcome: Outcome = { sequences: 0, events: 0, referrals: 0, completed: 0, raced: 0 };
  const property = fc.asyncProperty(referralSequence, async ({ hours, carriedRefs, groups }) => {
    const { ids, tag } = createPersonIds();
    const createdAt = hours.map((age) => Date.now() - Math.round(age * 3_600_000));
    const participants: Participants = { ids, tag, createdAt, carriedRefs };
    await db.owner(
      `insert into public.all_users (idp_id, created_at)
       select id, at from unnest($1::text[], $2::timestamptz[]) t (id, at)`,
      [ids, createdAt.map((at) => new Date(at))],
    );
    for (const group of groups) {
      const [firstHalf, secondHalf] = [0, 1].map((remainder) =>
        group.filter((_event, index) => index % 2 === remainder),
      );
      await Promise.all([first.run(participants, firstHalf!), second.run(participants, secondHalf!)]);
      outcome.raced += secondHalf!.length > 0 ? 1 : 0;
    }
    const stored = await assertRules(db, participants, groups.flat());
    outcome.sequences += 1;
    outcome.events += groups.flat().length;
    outcome.referrals += stored.referrals;
    outcome.completed += stored.completed;
  });
  try {
    await fc.assert(property, { numRuns: runs, seed });
  } finally {
    await second.stop();
    await first.close();
  }
  return outcome;
}

interface Row {
  referred: string;
  referrer: string;
  status: string;
  source: string;
  completed_at: Date | null;
  signed_up_at: Date;
  connected_at: Date | null;
}

/** Asserts the rules that hold after any events in any order. */
async function assertRules(
  db: TestDatabase,
  { ids, createdAt, carriedRefs }: Participants,
  events: readonly ReferralEvent[],
) {
  const rows = await db.owner<Row>(
    `select r.referred_idp_id as referred, r.referrer_idp_id as referrer, r.status, r.source, r.completed_at,
            r.signed_up_at, f.connected_at
       from public.referrals r left join public.first_connections f on f.idp_id = r.referred_idp_id
      where r.referred_idp_id = any ($1) or r.referrer_idp_id = any ($1)`,
    [ids],
  );
  assert.equal(new Set(rows.map(({ referred }) => referred)).size, rows.length, 'one referrer for each person');
  for (const row of rows) {
    const listOfKind = (kind: ReferralEvent['kind']) =>
      events.filter((event) => event.kind === kind && ids[event.person] === row.referred) as {
        ref: number;
      }[];
    assert.notEqual(row.referrer, row.referred, 'no member is their own referrer');
    assert.equal(row.status === 'completed', row.connected_at !== null, 'completed exactly after a first connection');
    assert.deepEqual(row.completed_at, row.connected_at, 'the first connection’s time is the completion’s');
    assert.equal(
      row.signed_up_at.getTime(),
      createdAt[ids.indexOf(row.referred)],
      'the provider’s time of the sign-up',
    );
    const claims = listOfKind(row.source === 'webhook' ? 'created' : 'track').map(({ ref }) => ids[ref]);
    assert.ok(claims.includes(row.referrer), 'a report of this source has this referrer');
    if (row.source === 'public') {
      assert.equal(row.referrer, ids[carriedRefs[ids.indexOf(row.referred)]!], 'the link of the person’s own sign-up');
      const isUndecided = listOfKind('created').length === 0 || row.status === 'completed';
      assert.ok(isUndecided, 'the signed event outranks a call');
    }
  }
  for (const [person, id] of ids.entries()) {
    const signups = events.some((event) => event.kind === 'created' && event.person === person && event.ref !== person);
    if (signups)
      assert.ok(
        rows.some(({ referred }) => referred === id),
        'a signed sign-up is never lost',
      );
    const connected = events.some((event) => event.kind === 'connect' && event.person === person);
    const facts = await db.owner(`select from public.first_connections where idp_id = $1`, [id]);
    assert.equal(facts.length, connected ? 1 : 0);
    const [totals] = await db.owner<{ signups: number; completed: number }>(
      `select count(*)::int as signups, count(completed_at)::int as completed
         from public.referrals where referrer_idp_id = $1`,
      [id],
    );
    const mine = rows.filter(({ referrer }) => referrer === id);
    assert.deepEqual(totals, {
      signups: mine.length,
      completed: mine.filter(({ status }) => status === 'completed').length,
    });
  }
  return { referrals: rows.length, completed: rows.filter(({ status }) => status === 'completed').length };
}
