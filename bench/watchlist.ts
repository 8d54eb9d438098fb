/**
 * `npm run bench -- watchlist [--years 0.25] [--symbols 100000] [--rounds 5] [--warm-up 4]` measures the watchlist of
 * 250 rows with 1,000 and with `symbols` tickers and `years` of closes, on the embedded server. It compares server time
 * with the statements in pgbench in one run, and measures the response size, and adds and reorders
 * against the bare functions. The default is a quarter of a year (63 days) of closes. The full catalog with a year of
 * 100,000 tickers is `--years 1` and needs about 2 GB and 2 minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../src/platform/database/embedded.ts';
import { watchlist } from '../src/features/watchlist/contract.ts';
import { queryAsOwner } from '../test/support/cluster.ts';
import { addMembers, fillDatabase, type FilledDatabase, fillList } from './watchlist/fill-database.ts';
import { captureStatements, serve } from './watchlist/serve.ts';
import { hasPgbench, inlineParameters, timeScripts } from './watchlist/time-statements.ts';
import { parseOptions } from '../tools/run/parse-options.ts';

const { values: options } = parseOptions({
  usage: 'npm run bench -- watchlist [--years 0.25] [--symbols 100000] [--rounds 5] [--warm-up 4]',
  options: {
    years: { type: 'string', default: '0.25' },
    symbols: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    // After about a thousand requests, the code of a long-running service is compiled.
    'warm-up': { type: 'string', default: '4' },
  },
});
const days = Math.round(252 * Number(options.years));
const symbols = Number(options.symbols);
const rounds = Number(options.rounds);
const ROWS = 250;
const MEMBERS = 10;
const READS = 60;
const WRITES = 120;
/** Number of warm-up rounds. */
const WARM_UP = { reads: Number(options['warm-up']), writes: 2 * Number(options['warm-up']) };

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;
const formatMs = (value: number): string => `${value.toFixed(2)} ms`;
const formatQuantiles = (values: readonly number[]): string =>
  `p50 ${formatMs(quantile(values, 0.5))}  p95 ${formatMs(quantile(values, 0.95))}`;
const formatGoal = (isMet: boolean, text: string): string => `${isMet ? 'goal met' : 'GOAL MISSED'}: ${text}`;

type Service = Awaited<ReturnType<typeof serve>>;

/** Compares the server time of reads with the statements in pgbench, interleaved. The responses are checked first. */
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
      const response = await service.call(token, 'GET', '/api/watchlist', undefined, encoding);
      sizes[measure] = Math.max(sizes[measure], response.body.length);
    }
    const statementsSent = await captureStatements(() => service.call(token, 'GET', '/api/watchlist'));
    scripts.push(statementsSent.map(inlineParameters));
    statements = statementsSent.filter(({ text }) => !/^(begin|commit)$|set_config\('role'/.test(text)).length;
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
    const plainTimes = await read('identity');
    const zippedTimes = await read('gzip');
    if (round <= WARM_UP.reads) continue;
    bare.push(...bareTimes);
    plain.push(...plainTimes);
    zipped.push(...zippedTimes);
  }
  console.log(`\nGET /api/watchlist, ${ROWS} rows × ${Math.min(30, days)} closes, ${name}`);
  console.log(`  statements a request         ${statements}   ${formatGoal(statements <= 3, 'at most 3')}`);
  console.log(`  same SQL, ${hasPgbench ? 'pgbench' : "driver's loop"}            ${formatQuantiles(bare)}`);
  console.log(`  server time                  ${formatQuantiles(plain)}`);
  console.log(`  server time with gzip        ${formatQuantiles(zipped)}`);
  const ratio = quantile(plain, 0.5) / quantile(bare, 0.5);
  console.log(
    `  server time / same SQL, p50  ${ratio.toFixed(2)}   ${formatGoal(ratio <= 2, 'at most 2')}; ` +
      `with gzip ${(quantile(zipped, 0.5) / quantile(bare, 0.5)).toFixed(2)}`,
  );
  console.log(
    `  body                         ${(sizes.bytes / 1000).toFixed(1)} kB, ${(sizes.gzip / 1000).toFixed(1)} kB gzip`,
  );
  return quantile(plain, 0.5);
}

async function benchWrites(db: FilledDatabase, service: Service): Promise<void> {
  // A write takes a tenth of a read's time, and a stable 95th percentile needs more writes.
  const writeRounds = 3 * rounds;
  const member = await service.signUp();
  const reorderMember = await service.signUp();
  await fillList(db.ownerUrl, reorderMember.idpId, ROWS);
  await addMembers(db.ownerUrl, 'bare_', Math.ceil((WRITES * (WARM_UP.writes + writeRounds)) / 200), 0);
  const symbolAt = (n: number): string => `S${String(n + 1).padStart(6, '0')}`;
  const ids = (
    await queryAsOwner<{ id: string }>(
      db.ownerUrl,
      'select id from public.watchlist_items where idp_id = $1 order by position',
      [reorderMember.idpId],
    )
  ).map(({ id }) => id);
  const shuffled = Array.from({ length: 8 }, () => ids.toSorted(() => Math.random() - 0.5));
  const claims =
    `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ` +
    `'${JSON.stringify({ sub: reorderMember.idpId })}', true)`;
  const reorders = shuffled.map((permutation) => [
    'begin',
    claims,
    `select id from public.reorder_watchlist_items('{${permutation.join()}}'::uuid[])`,
    'commit',
  ]);
  await queryAsOwner(db.ownerUrl, 'create sequence bench_adds minvalue 0');
  await queryAsOwner(db.ownerUrl, 'grant usage on sequence bench_adds to service_role');
  const addScript = [
    `select a from (select nextval('bench_adds')::int as n offset 0) s, ` +
      `public.add_watchlist_item('bare_' || s.n / 200, 'S' || lpad((s.n % 200 + 1)::text, 6, '0')) a`,
  ];
  const times: Record<'bareAdd' | 'post' | 'bareOrder' | 'put', number[][]> = {
    bareAdd: [],
    post: [],
    bareOrder: [],
    put: [],
  };
  const timeRequests = async (
    token: string,
    method: string,
    path: string,
    expected: number,
    createBody: (n: number) => object,
  ): Promise<number[]> => {
    const measured: number[] = [];
    for (let n = 0; n < WRITES; n += 1) {
      const { status, serverMs } = await service.call(token, method, path, createBody(n));
      if (status !== expected) throw new Error(`${method} ${path} was answered with ${status}.`);
      measured.push(serverMs);
    }
    return measured;
  };
  // Measure adds separately from reorders. Reorders leave 30,000 dead rows per round, whose vacuum would disturb the
  // next measurement.
  for (let round = 1; round <= WARM_UP.writes + writeRounds; round += 1) {
    const bare = await timeScripts(db.ownerUrl, [addScript], WRITES);
    // Use list lengths equal to those of the bare function.
    const from = Math.min((round * WRITES) % 200, ROWS - WRITES);
    await queryAsOwner(db.ownerUrl, 'delete from public.watchlist_items where idp_id = $1', [member.idpId]);
    await fillFirstSymbols(db.ownerUrl, member.idpId, from);
    const served = await timeRequests(await member.token(), 'POST', '/api/watchlist', 201, (n) => ({
      symbol: symbolAt(from + n),
    }));
    if (round <= WARM_UP.writes) continue;
    times.bareAdd.push(bare);
    times.post.push(served);
  }
  for (let round = 1; round <= WARM_UP.writes + writeRounds; round += 1) {
    const bare = await timeScripts(db.ownerUrl, reorders, WRITES);
    const served = await timeRequests(await reorderMember.token(), 'PUT', '/api/watchlist/order', 200, (n) => ({
      ids: shuffled[(n * 5 + round) % shuffled.length]!,
    }));
    if (round <= WARM_UP.writes) continue;
    times.bareOrder.push(bare);
    times.put.push(served);
  }
  const reportLine = (name: string, servedRounds: readonly number[][], bareRounds: readonly number[][]): void => {
    const served = servedRounds.flat();
    const bare = bareRounds.flat();
    const ratio = quantile(served, 0.95) / quantile(bare, 0.95);
    const ratios = servedRounds.map((round, n) => quantile(round, 0.95) / quantile(bareRounds[n]!, 0.95));
    console.log(
      `\n${name}\n  bare function, ${hasPgbench ? 'pgbench' : "driver's loop"}       ${formatQuantiles(bare)}\n` +
        `  server time                  ${formatQuantiles(served)}`,
    );
    console.log(
      `  p95 ratio                    ${ratio.toFixed(2)}   ${formatGoal(ratio <= 6, 'at most 6')}; ` +
        `of single rounds ${quantile(ratios, 0.25).toFixed(2)} to ${quantile(ratios, 0.75).toFixed(2)} (quartiles), ` +
        `median ${quantile(ratios, 0.5).toFixed(2)}`,
    );
  };
  reportLine('POST /api/watchlist', times.post, times.bareAdd);
  reportLine(`PUT /api/watchlist/order, ${ROWS} rows`, times.put, times.bareOrder);
}

/** Adds the first `rows` symbols of the catalog to a list, in order. */
async function fillFirstSymbols(ownerUrl: string, idpId: string, rows: number): Promise<void> {
  await queryAsOwner(
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
  const smallService = await serve(small.urls);
  const largeService = await serve(large.urls);
  try {
    const smallP50 = await benchReads('1,000 tickers', small, smallService);
    const largeP50 = await benchReads(`${symbols} tickers`, large, largeService);
    console.log(
      `\nGrowth from 1,000 to ${symbols} tickers, p50  ${(largeP50 / smallP50).toFixed(2)}   ` +
        `${formatGoal(largeP50 / smallP50 <= 1.3, 'at most 1.3')}`,
    );
    await benchWrites(large, largeService);
  } finally {
    await smallService.close();
    await largeService.close();
  }
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
