import { spawnSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { asOwner } from '../../test/support/cluster.ts';
import type { Part } from '../stack/part.ts';
import type { Stack } from '../stack/start-stack.ts';
import type { Circumstances, Under } from './circumstances.ts';

export interface Fault {
  name: string;
  under: Under;
  /** Begins it and ends it; resolves at the moment when its cause is gone. */
  run(stack: Stack, circumstances: Circumstances): Promise<void>;
}

const FROZEN_MS = 5_000;
const RESTART_MS = 2_000;

/** As a supervisor does: killed, and started again after two seconds. */
const killed = (name: string, part: (stack: Stack) => Part): Fault => ({
  name: `${name} killed, started again after 2 s`,
  under: 'plain',
  async run(stack) {
    await part(stack).end('SIGKILL');
    await sleep(RESTART_MS);
    await part(stack).start();
  },
});

const frozen = (name: string, part: (stack: Stack) => Part): Fault => ({
  name: `${name} frozen for 5 s`,
  under: 'plain',
  run: (stack) => part(stack).freeze(FROZEN_MS),
});

const provider = (behaviour: 'slow' | 'malformed' | 'absent', name: string): Fault => ({
  name: `provider of market data ${name}`,
  under: 'providers',
  async run(_stack, { provider: between }) {
    await between!.behave(behaviour);
    await sleep(2 * FROZEN_MS);
    await between!.behave('sound');
  },
});

const clock = (name: string, offsets: (name: string) => string): Fault => ({
  name,
  under: 'clock',
  async run(_stack, { setClock }) {
    setClock!(offsets);
    await sleep(FROZEN_MS);
    setClock!(() => '+0');
  },
});

/** Every fault, in the order in which they are tried. */
export const faults: readonly Fault[] = [
  killed('one of two servers', ({ servers }) => servers[0]!),
  killed('the worker', ({ worker }) => worker),
  killed('PostgreSQL', ({ postgres }) => postgres.part),
  killed('the pooler', ({ pooler }) => pooler),
  frozen('one of two servers', ({ servers }) => servers[0]!),
  frozen('the worker', ({ worker }) => worker),
  frozen('PostgreSQL, all its processes,', ({ postgres }) => postgres.part),
  frozen('the pooler', ({ pooler }) => pooler),
  { name: 'every connection of PostgreSQL taken for 5 s', under: 'plain', run: exhaustConnections },
  {
    name: 'a transaction idles on the locks of the lists, until PostgreSQL ends it at 30 s',
    under: 'plain',
    run: idle,
  },
  { name: 'the table of the lists locked for 5 s', under: 'plain', run: lockTable },
  { name: 'the disk of PostgreSQL full for 8 s', under: 'plain', run: fillDisk },
  // Last, since what was counted without Redis stays in the minute that the next fault would look at.
  killed('Redis', ({ redis }) => redis),
  frozen('Redis', ({ redis }) => redis),
  clock('all our clocks an hour ahead for 5 s, then back', () => '+3600'),
  clock('all our clocks an hour behind for 5 s, then back', () => '-3600'),
  clock('the clock of one of two servers 5 minutes ahead for 5 s', (name) => (name === 'server 1' ? '+300' : '+0')),
  provider('slow', 'answers after 8 s'),
  provider('malformed', 'answers nonsense'),
  provider('absent', 'is away'),
  {
    name: 'no name server answers',
    under: 'providers',
    async run(_stack, { forgetNames }) {
      const restore = forgetNames!();
      await sleep(2 * FROZEN_MS);
      restore();
    },
  },
];

/** Why a fault cannot be tried on this machine. */
export function whyNot({ name, under }: Fault, stack: Stack, circumstances: Circumstances): string | undefined {
  if (name.startsWith('the disk') && !stack.postgres.hasOwnDisk) return 'no file system can be mounted here';
  if (under === 'clock' && !circumstances.setClock) return 'libfaketime is not installed';
  if (name.startsWith('no name') && !circumstances.forgetNames) return 'no mount namespace can be made here';
  return undefined;
}

async function exhaustConnections({ postgres }: Stack): Promise<void> {
  const taken: pg.Client[] = [];
  // Those of the pooler are ended, so that it needs new ones; a superuser takes the reserved ones too.
  const takeAll = async (): Promise<void> => {
    for (let refused = 0; refused < 3;) {
      const client = new pg.Client({ connectionString: postgres.ownerUrl });
      client.on('error', () => {});
      await client.connect().then(
        () => taken.push(client),
        () => (refused += 1),
      );
    }
  };
  await asOwner(
    postgres.ownerUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where usename <> current_user and backend_type = 'client backend'`,
  );
  for (const end = Date.now() + FROZEN_MS; Date.now() < end; await sleep(100)) await takeAll();
  await Promise.all(taken.map((client) => client.end()));
}

async function idle({ postgres }: Stack): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.urls.service });
  const ended = new Promise<void>((resolve) => void client.on('error', () => resolve()));
  await client.connect();
  await client.query('begin');
  await client.query(
    `select public.lock_watchlist(idp_id) from (select distinct idp_id from public.watchlist_items) w`,
  );
  await ended;
}

async function lockTable({ postgres }: Stack): Promise<void> {
  await asOwner(
    postgres.ownerUrl,
    `do $$ begin lock table public.watchlist_items in access exclusive mode; perform pg_sleep(5); end $$`,
  );
}

async function fillDisk({ postgres }: Stack): Promise<void> {
  const filling = join(postgres.folder, 'filling');
  const fill = (): void => {
    const { bavail, bsize } = statfsSync(postgres.folder);
    spawnSync('fallocate', ['-o', '0', '-l', String(Math.max(1, bavail) * bsize), `${filling}-${Date.now()}`]);
  };
  // Writers go on for a while in files that were allocated before: a new one of the log is asked for, as after hours.
  for (const end = Date.now() + 8_000; Date.now() < end; await sleep(200)) {
    fill();
    await asOwner(postgres.ownerUrl, 'select pg_switch_wal()').catch(() => {});
  }
  spawnSync('sh', ['-c', `rm -f ${filling}-*`]);
  void supervise(postgres.part);
}

/** Where it gave up, its supervisor starts it again. */
async function supervise(part: Part): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(200))
    if (!part.runs()) await part.start().catch(() => {});
}
