/**
 * `npm run bench -- watchlist [--years 0.25] [--symbols 100000] [--rounds 5]`: the watchlist of 250 rows at 1,000 and
 * at `symbols` tickers with `years` of closes, on an embedded server as shipped. Server time against the same
 * statements through pgbench in the same run, size on the wire, Ghostfolio's access pattern, adds and reorders against
 * the bare functions. Unless told otherwise it fills a quarter of a year (63 days) of closes; the full catalog, a year
 * of 100,000 tickers, is `--years 1` and takes about 2 GB and 2 minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '../src/platform/database/embedded.ts';
import { watchlist } from '../src/features/watchlist/contract.ts';
import { asOwner } from '../test/support/cluster.ts';
import { addMembers, fillDatabase, type FilledDatabase, fillList } from './watchlist/fill-database.ts';
import { createGhostfolio } from './watchlist/replay-ghostfolio.ts';
import { recordSent, serve } from './watchlist/serve.ts';
import { hasPgbench, inlined, timeScripts } from './watchlist/time-statements.ts';

const { values: options } = parseArgs({
  options: {
    years: { type: 'string', default: '0.25' },
    symbols: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
  },
});
const days = Math.round(252 * Number(options.years));
const symbols = Number(options.symbols);
const rounds = Number(options.rounds);
const ROWS = 250;
const MEMBERS = 10;
const READS = 60;
const WRITES = 120;
/** Rounds before those that count: after about a thousand requests the code that a service runs all day is compiled. */
const WARM_UP = { reads: 4, writes: 8 };

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;
const ms = (value: number): string => `${value.toFixed(2)} ms`;
const spread = (values: readonly number[]): string => `p50 ${ms(at(values, 0.5))}  p95 ${ms(at(values, 0.95))}`;
let missed = 0;
const goal = (met: boolean, text: string): string => {
  if (!met) missed += 1;
  return `${met ? 'goal met' : 'GOAL MISSED'}: ${text}`;
};

type Service = Awaited<ReturnType<typeof serve>>;

/** Server time of reads beside the same statements through pgbench, interleaved; the answers are checked first. */
async function benchReads(name: string, db: FilledDatabase, service: Service) {
  const members: Awaited<ReturnType<Service['signUp']>>[] = [];
  for (let i = 0; i < MEMBERS; i += 1) members.push(await service.signUp());
  const scripts: string[][] = [];
  let statements = 0;
  const sizes = { bytes: 0, gzip: 0 };
  for (const member of members) {
    await fillList(db.ownerUrl, member.idpId, ROWS);
    const token = await member.token();
    const { body } = await service.call(token, 'GET', '/api/watchlist');
    const list = watchlist.parse(JSON.parse(body.toString()));
    if (
      list.items.length !== ROWS ||
      list.items.some((item) => item.locked || item.closes?.length !== Math.min(30, days))
    )
      throw new Error('The list is not complete.');
    for (const [measure, encoding] of [
      ['bytes', 'identity'],
      ['gzip', 'gzip'],
    ] as const) {
      const answer = await service.call(token, 'GET', '/api/watchlist', undefined, encoding);
      sizes[measure] = Math.max(sizes[measure], answer.body.length);
    }
    const sent = await recordSent(() => service.call(token, 'GET', '/api/watchlist'));
    scripts.push(sent.map(inlined));
    statements = sent.filter(({ text }) => !/^(begin|commit)$|set_config\('role'/.test(text)).length;
  }
  const plain: number[] = [];
  const zipped: number[] = [];
  const bare: number[] = [];
  for (let round = 1; round <= WARM_UP.reads + rounds; round += 1) {
    const tokens = await Promise.all(members.map((member) => member.token()));
    const bareTimes = await timeScripts(db.ownerUrl, scripts, READS);
    const read = async (encoding: string): Promise<number[]> => {
      const times: number[] = [];
      for (let i = 0; i < READS; i += 1)
        times.push((await service.call(tokens[i % MEMBERS]!, 'GET', '/api/watchlist', undefined, encoding)).serverMs);
      return times;
    };
    const [plainTimes, zippedTimes] = [await read('identity'), await read('gzip')];
    if (round <= WARM_UP.reads) continue;
    bare.push(...bareTimes);
    plain.push(...plainTimes);
    zipped.push(...zippedTimes);
  }
  console.log(`\nGET /api/watchlist, ${ROWS} rows × ${Math.min(30, days)} closes, ${name}`);
  console.log(`  statements a request         ${statements}   ${goal(statements <= 3, 'at most 3')}`);
  console.log(`  same SQL, ${hasPgbench ? 'pgbench' : "driver's loop"}            ${spread(bare)}`);
  console.log(`  server time                  ${spread(plain)}`);
  console.log(`  server time with gzip        ${spread(zipped)}`);
  const ratio = at(plain, 0.5) / at(bare, 0.5);
  console.log(
    `  server time / same SQL, p50  ${ratio.toFixed(2)}   ${goal(ratio <= 2, 'at most 2')}; ` +
      `with gzip ${(at(zipped, 0.5) / at(bare, 0.5)).toFixed(2)}`,
  );
  console.log(
    `  body                         ${(sizes.bytes / 1000).toFixed(1)} kB, ${(sizes.gzip / 1000).toFixed(1)} kB gzip`,
  );
  return { members, p50: at(plain, 0.5) };
}

async function benchGhostfolio(
  db: FilledDatabase,
  service: Service,
  members: readonly { idpId: string; token(): Promise<string> }[],
): Promise<void> {
  const ghostfolio = createGhostfolio(db.ownerUrl);
  const theirs: number[] = [];
  const ours: number[] = [];
  let statements = 0;
  try {
    for (let round = 0; round < 3; round += 1) {
      for (const member of members) {
        const read = await ghostfolio.read(member.idpId);
        statements = read.statements;
        const { serverMs } = await service.call(await member.token(), 'GET', '/api/watchlist');
        if (round > 0) theirs.push(read.ms);
        if (round > 0) ours.push(serverMs);
      }
    }
  } finally {
    await ghostfolio.close();
  }
  const times = at(theirs, 0.5) / at(ours, 0.5);
  console.log(`\nGhostfolio's access pattern on the same data, ${statements} statements (2 × ${ROWS} + 3)`);
  console.log(
    `  ${spread(theirs)}   ${times.toFixed(1)} × our server time (${ms(at(ours, 0.5))})   ` +
      `${goal(times >= 10, 'at least 10')}`,
  );
}

async function benchWrites(db: FilledDatabase, service: Service): Promise<void> {
  // A write takes a tenth of a read's time, and the 95th percentile needs more of them to stand still.
  const writeRounds = 3 * rounds;
  const member = await service.signUp();
  const order = await service.signUp();
  await fillList(db.ownerUrl, order.idpId, ROWS);
  await addMembers(db.ownerUrl, 'bare_', Math.ceil((WRITES * (WARM_UP.writes + writeRounds)) / 200), 0);
  const symbolAt = (n: number): string => `S${String(n + 1).padStart(6, '0')}`;
  const ids = (
    await asOwner<{ id: string }>(
      db.ownerUrl,
      'select id from public.watchlist_items where idp_id = $1 order by position',
      [order.idpId],
    )
  ).map(({ id }) => id);
  const shuffled = Array.from({ length: 8 }, () => ids.toSorted(() => Math.random() - 0.5));
  const claims =
    `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ` +
    `'${JSON.stringify({ sub: order.idpId })}', true)`;
  const reorders = shuffled.map((some) => [
    'begin',
    claims,
    `select id from public.reorder_watchlist_items('{${some.join()}}'::uuid[])`,
    'commit',
  ]);
  await asOwner(db.ownerUrl, 'create sequence bench_adds minvalue 0');
  await asOwner(db.ownerUrl, 'grant usage on sequence bench_adds to service_role');
  const add = [
    `select a.id from (select nextval('bench_adds')::int as n offset 0) s, ` +
      `public.add_watchlist_item('bare_' || s.n / 200, 'S' || lpad((s.n % 200 + 1)::text, 6, '0')) a`,
  ];
  const times: Record<'bareAdd' | 'post' | 'bareOrder' | 'put', number[][]> = {
    bareAdd: [],
    post: [],
    bareOrder: [],
    put: [],
  };
  const asked = async (
    token: string,
    method: string,
    path: string,
    expected: number,
    bodyOf: (n: number) => object,
  ): Promise<number[]> => {
    const measured: number[] = [];
    for (let n = 0; n < WRITES; n += 1) {
      const { status, serverMs } = await service.call(token, method, path, bodyOf(n));
      if (status !== expected) throw new Error(`${method} ${path} was answered with ${status}.`);
      measured.push(serverMs);
    }
    return measured;
  };
  // Adds apart from reorders: these leave 30,000 dead rows a round, and the next measurement shares the machine
  // with their vacuum.
  for (let round = 1; round <= WARM_UP.writes + writeRounds; round += 1) {
    const bare = await timeScripts(db.ownerUrl, [add], WRITES);
    // Lists of the same lengths as the bare function met.
    const from = Math.min((round * WRITES) % 200, ROWS - WRITES);
    await asOwner(db.ownerUrl, 'delete from public.watchlist_items where idp_id = $1', [member.idpId]);
    await fillFrom(db.ownerUrl, member.idpId, from);
    const served = await asked(await member.token(), 'POST', '/api/watchlist', 201, (n) => ({
      symbol: symbolAt(from + n),
    }));
    if (round <= WARM_UP.writes) continue;
    times.bareAdd.push(bare);
    times.post.push(served);
  }
  for (let round = 1; round <= WARM_UP.writes + writeRounds; round += 1) {
    const bare = await timeScripts(db.ownerUrl, reorders, WRITES);
    const served = await asked(await order.token(), 'PUT', '/api/watchlist/order', 200, (n) => ({
      ids: shuffled[(n * 5 + round) % shuffled.length]!,
    }));
    if (round <= WARM_UP.writes) continue;
    times.bareOrder.push(bare);
    times.put.push(served);
  }
  const line = (name: string, servedRounds: readonly number[][], bareRounds: readonly number[][]): void => {
    const [served, bare] = [servedRounds.flat(), bareRounds.flat()];
    const ratio = at(served, 0.95) / at(bare, 0.95);
    const ratios = servedRounds.map((round, n) => at(round, 0.95) / at(bareRounds[n]!, 0.95));
    console.log(
      `\n${name}\n  bare function, ${hasPgbench ? 'pgbench' : "driver's loop"}       ${spread(bare)}\n` +
        `  server time                  ${spread(served)}`,
    );
    console.log(
      `  p95 ratio                    ${ratio.toFixed(2)}   ${goal(ratio <= 3, 'at most 3')}; ` +
        `of single rounds ${at(ratios, 0.25).toFixed(2)} to ${at(ratios, 0.75).toFixed(2)} (quartiles), ` +
        `median ${at(ratios, 0.5).toFixed(2)}`,
    );
  };
  line('POST /api/watchlist', times.post, times.bareAdd);
  line(`PUT /api/watchlist/order, ${ROWS} rows`, times.put, times.bareOrder);
}

/** The first `rows` symbols of the catalog, in order. */
async function fillFrom(ownerUrl: string, idpId: string, rows: number): Promise<void> {
  await asOwner(
    ownerUrl,
    `insert into public.watchlist_items (idp_id, symbol, position) select $1, 'S' || lpad(n::text, 6, '0'), ` +
      'n from generate_series(1, $2::int) n',
    [idpId, rows],
  );
}

const dataDir = mkdtempSync(join(tmpdir(), 'tally-bench-watchlist-'));
const server = await startEmbedded({
  dataDir,
  secrets: { authenticator: 'authenticator-bench', service: 'service-bench', assistant: 'assistant-bench' },
});
try {
  const small = await fillDatabase(server, 'bench_small', 1_000, days);
  const large = await fillDatabase(server, 'bench_large', symbols, days);
  console.log(
    `${symbols} tickers × ${days} days: ${large.rows / 1e6} million closes, ` +
      `${large.gigabytes.toFixed(2)} GB, written in ${large.seconds.toFixed(0)} s; ${rounds} rounds of reads ` +
      `and ${3 * rounds} of writes after those to warm up`,
  );
  const [smallService, largeService] = [await serve(small.urls), await serve(large.urls)];
  try {
    const few = await benchReads('1,000 tickers', small, smallService);
    const many = await benchReads(`${symbols} tickers`, large, largeService);
    console.log(
      `\nGrowth from 1,000 to ${symbols} tickers, p50  ${(many.p50 / few.p50).toFixed(2)}   ` +
        `${goal(many.p50 / few.p50 <= 1.3, 'at most 1.3')}`,
    );
    await benchGhostfolio(large, largeService, many.members);
    await benchWrites(large, largeService);
  } finally {
    await smallService.close();
    await largeService.close();
  }
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;
