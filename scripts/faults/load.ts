import { setTimeout as sleep } from 'node:timers/promises';
import { addSymbols } from '../../test/support/watchlist-race.ts';
import { asOwner } from '../../test/support/cluster.ts';
import { Client, type Reply } from '../stack/client.ts';
import { Person } from '../stack/person.ts';
import type { Stack } from '../stack/start-stack.ts';
import { Ledger } from './ledger.ts';

const EXPECTED = {
  count: [200],
  limited: [200, 429],
  list: [200],
  add: [201],
  remove: [204],
  reorder: [200, 409],
  'sign-in': [200],
  search: [200],
  // A symbol that nobody knows.
  'look-up': [404],
  crowd: [201, 204, 403, 404, 409],
} as const satisfies Record<string, readonly number[]>;

/** What is asked for, with the answers that are no failure. */
type Operation = keyof typeof EXPECTED;

export interface Seen {
  /** When the request was sent and when its answer came, as `performance.now()` says it. */
  from: number;
  at: number;
  operation: Operation;
  status: number | string;
  code: string | undefined;
}

export const isFailure = ({ operation, status }: Seen): boolean =>
  !(EXPECTED[operation] as readonly unknown[]).includes(status);

/** Rows of the free plan, and counts a minute of a key on tier 1: limits that the load presses against all the time. */
export const ROWS = 20;
export const COUNTS = 100;

export interface Load {
  seen: Seen[];
  ledgers: readonly Ledger[];
  /** Rows that the pressed list has now. */
  crowdedRows(): Promise<number>;
  /** Lets each client end what it is at, and go no further until `work` is done. */
  pausedFor<T>(work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

const unknownSymbol = (): string => `Q${Math.random().toString(36).slice(2, 7).toUpperCase()}`;

const BODY = { model: 'claude-opus-4-6', messages: [{ role: 'user', content: 'How many tokens are these?' }] };

/**
 * A mixed load of about 60 requests a second until it is stopped: members who add, remove, reorder and list, searches,
 * sign-ins, counts; one list and one key are pressed against their limits.
 */
export async function startLoad(stack: Stack): Promise<Load> {
  const owner = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    asOwner<Row>(stack.postgres.ownerUrl, text, values);
  const symbols = await addSymbols({ owner }, 60);
  const people = await Promise.all(Array.from({ length: 18 }, () => new Person(stack.url).signUp()));
  const [crowded, ...others] = people;
  await owner(`insert into public.subscriptions (idp_id, tier, status) select unnest($1::text[]), 'max', 'active'`, [
    others.map(({ idpId }) => idpId),
  ]);
  const ledgers = others.slice(0, 5).map((person) => new Ledger(person, symbols));
  const [searcher, ...newcomers] = others.slice(5);
  const [freeKey, limitedKey] = [await stack.createKey('Free', 4), await stack.createKey('Limited', 1)];
  const counter = new Client(stack.url, '127.0.0.9');
  const seen: Seen[] = [];
  let stopped = false;
  let paused = false;
  let waiting = 0;

  const note = async (operation: Operation, ask: () => Promise<Reply | undefined>): Promise<void> => {
    const from = performance.now();
    const reply = await ask();
    if (reply) seen.push({ from, at: performance.now(), operation, status: reply.status, code: reply.code });
  };
  const loop = async (pause: number, turn: (round: number) => Promise<void>): Promise<void> => {
    for (let round = 0; !stopped; round += 1) {
      await turn(round);
      await sleep(pause * (0.5 + Math.random()));
      waiting += 1;
      while (paused && !stopped) await sleep(20);
      waiting -= 1;
    }
  };
  const count = (key: string) => () =>
    counter.send('POST', '/v1/messages/count_tokens', {
      body: BODY,
      headers: { 'x-api-key': key, 'svc-version': '2023-06-01' },
    });
  const press = async (): Promise<void> => {
    const symbol = symbols[Math.floor(Math.random() * symbols.length)]!;
    await note('crowd', () => crowded!.send('POST', '/api/watchlist', { symbol }));
    if (Math.random() < 0.7) return;
    const { status, body } = await crowded!.send('GET', '/api/watchlist');
    const first = status === 200 ? body.items[0]?.id : undefined;
    if (first) await note('crowd', () => crowded!.send('DELETE', `/api/watchlist/${first}`));
  };

  const running = [
    ...ledgers.map((ledger) =>
      loop(150, async (round) => {
        const step = round % 6;
        if (step === 3) await note('remove', () => ledger.remove());
        else if (step === 4) await note('reorder', () => ledger.reorder());
        else if (step === 5) await note('list', () => ledger.list());
        else await note('add', () => ledger.add());
        if (round % 30 === 29) for (let n = 0; n < 8; n += 1) await note('remove', () => ledger.remove());
      }),
    ),
    ...[0, 1, 2].map(() => loop(200, press)),
    ...[0, 1].map(() => loop(80, () => note('count', count(freeKey)))),
    loop(250, () => note('limited', count(limitedKey))),
    loop(250, (round) => note('sign-in', () => newcomers[round % newcomers.length]!.signIn())),
    // Every second one is a word that only a provider could know.
    loop(150, (round) => {
      const word = round % 2 === 0 ? 'abcdefg'[round % 7]! : unknownSymbol();
      return note('search', () => searcher!.send('GET', `/api/investments/search?q=${word}`));
    }),
    loop(2_000, () => note('look-up', () => searcher!.send('POST', '/api/watchlist', { symbol: unknownSymbol() }))),
  ];
  return {
    seen,
    ledgers,
    async crowdedRows() {
      const [row] = await owner<{ n: number }>(
        'select count(*)::int as n from public.watchlist_items where idp_id = $1',
        [crowded!.idpId],
      );
      return row!.n;
    },
    async pausedFor(work) {
      paused = true;
      while (waiting < running.length) await sleep(20);
      try {
        return await work();
      } finally {
        paused = false;
      }
    },
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}
