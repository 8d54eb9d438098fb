/**
 * `npm run bench -- home [--symbols 2000] [--rounds 7] [--warm-up 4]` measures `GET /api/home` of a member with 500 holdings, 250
 * watched tickers and a year of net worth in two currencies, on the embedded server. It counts the statements of a
 * request and compares its server time with the same statements in pgbench, in turns. The response is checked first.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '../src/platform/database/embedded.ts';
import type { HomeResponse } from '../src/features/portfolio/dashboard/contract.ts';
import { queryAsOwner } from '../test/support/cluster.ts';
import { median } from '../test/support/median.ts';
import { type FilledDatabase, fillDatabase, fillList } from './watchlist/fill-database.ts';
import { captureStatements, serve } from './watchlist/serve.ts';
import { hasPgbench, inlineParameters, timeScripts } from './watchlist/time-statements.ts';

const { values: options } = parseArgs({
  options: {
    symbols: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '7' },
    // After four rounds, the code of a long-running service is compiled.
    'warm-up': { type: 'string', default: '4' },
  },
});
const symbols = Number(options.symbols);
const rounds = Number(options.rounds);
const warmUpRounds = Number(options['warm-up']);
const HOLDINGS = 500;
const WATCHED = 250;
const ACCOUNTS = 10;
const READS = 60;
const MAX_STATEMENTS = 8;
const MAX_RATIO = 2;

type Service = Awaited<ReturnType<typeof serve>>;

/** Adds accounts in two currencies, holdings, a year of snapshots, flows, rates and fetched reports. */
async function fillPortfolio({ ownerUrl }: FilledDatabase, idpId: string): Promise<void> {
  const execute = (text: string, values: readonly unknown[] = [idpId]) => queryAsOwner(ownerUrl, text, values);
  await execute(
    `insert into public.accounts (idp_id, name, currency, balance)
     select $1, 'Account ' || n, case n % 2 when 0 then 'USD' else 'GBP' end, 100.25 * n
       from generate_series(1, $2::int) n`,
    [idpId, ACCOUNTS],
  );
  await execute(
    `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
     select $1, a.id, s.symbol, 1 + s.n % 7, 100 * s.n
       from (select symbol, row_number() over (order by md5(symbol)) as n from public.tracked_tickers_latest
              limit $2) s
       join (select id, row_number() over (order by name) as n from public.accounts where idp_id = $1) a
         on a.n = 1 + s.n % $3`,
    [idpId, HOLDINGS, ACCOUNTS],
  );
  await execute(
    `insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments)
     select $1, current_date - n, c.currency, 1000 + n, 100000 - 10 * n
       from generate_series(1, 366) n cross join (values ('USD'), ('GBP')) c (currency)`,
  );
  await execute(
    `insert into public.net_worth_flows (idp_id, d, currency, amount)
     select $1, current_date - 30 * n, 'USD', 250 from generate_series(1, 11) n`,
  );
  await execute(
    `insert into market.exchange_rates (currency, d, rate, source)
     select c.currency, current_date - n, c.rate, 'ecb'
       from generate_series(0, 400) n cross join (values ('USD', 1.16), ('GBP', 0.87)) c (currency, rate)
     on conflict do nothing`,
    [],
  );
  await execute(
    `insert into market.earnings_cache (symbol, reports, fetched_at, sample)
     select t.symbol, '[]', now(), false from public.tracked_tickers_latest t on conflict do nothing`,
    [],
  );
  await fillList(ownerUrl, idpId, WATCHED);
  await execute('vacuum (analyze)', []);
}

async function assertComplete(service: Service, token: string): Promise<{ bytes: number }> {
  const { body } = await service.call(token, 'GET', '/api/home');
  const home = JSON.parse(body.toString()) as HomeResponse;
  const counts = [home.holdings?.holdings.length, home.watchlist?.items.length, home.accounts?.accounts.length];
  const isComplete =
    counts.join() === [HOLDINGS, WATCHED, ACCOUNTS].join() &&
    home.net_worth?.currencies.length === 2 &&
    home.net_worth.base.history.length >= 360 &&
    [home.connections, home.earnings, home.news, home.watched_earnings].every((part) => part !== undefined);
  if (!isComplete) throw new Error(`The response is not complete: ${Object.keys(home).join()}, ${counts.join()}.`);
  return { bytes: body.length };
}

async function benchHome(db: FilledDatabase, service: Service): Promise<void> {
  const member = await service.signUp();
  await fillPortfolio(db, member.idpId);
  // The news are stored by their own route for ten minutes.
  const storeNews = async (): Promise<void> => {
    await service.call(await member.token(), 'GET', '/api/news?limit=20');
  };
  await storeNews();
  const { bytes } = await assertComplete(service, await member.token());
  const token = await member.token();
  const sent = await captureStatements(() => service.call(token, 'GET', '/api/home'));
  const script = sent.map(inlineParameters);
  // Begin, commit and the member's identity travel with a statement and are not counted.
  const statements = sent.filter(({ text }) => !/^(begin|commit)$|set_config\('role'/.test(text));
  const bareMedians: number[] = [];
  const servedMedians: number[] = [];
  for (let round = 1; round <= warmUpRounds + rounds; round += 1) {
    await storeNews();
    const roundToken = await member.token();
    const bare = await timeScripts(db.ownerUrl, [script], READS);
    const served: number[] = [];
    for (let n = 0; n < READS; n += 1) served.push((await service.call(roundToken, 'GET', '/api/home')).serverMs);
    if (round <= warmUpRounds) continue;
    bareMedians.push(median(bare));
    servedMedians.push(median(served));
  }
  await assertComplete(service, await member.token());
  const ratios = servedMedians.map((served, index) => served / bareMedians[index]!);
  const ratio = median(ratios);
  const isMet = statements.length <= MAX_STATEMENTS && ratio <= MAX_RATIO;
  const format = (values: readonly number[], unit = ' ms'): string =>
    `${median(values).toFixed(2)}${unit}   ${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`;
  console.log(
    `GET /api/home, ${HOLDINGS} holdings and ${WATCHED} watched, ${(bytes / 1000).toFixed(0)} kB, ` +
      `load ${loadavg()[0]!.toFixed(1)}; p50 of ${READS} reads, median of ${rounds} rounds, least–most`,
  );
  console.log(`  statements a request   ${statements.length}   at most ${MAX_STATEMENTS}`);
  console.log(`  same SQL, ${hasPgbench ? 'pgbench' : 'driver '}      ${format(bareMedians)}`);
  console.log(`  server time            ${format(servedMedians)}`);
  console.log(`  ratio                  ${format(ratios, '')}   at most ${MAX_RATIO}`);
  console.log(isMet ? 'goal met' : 'GOAL MISSED');
}

const dataDir = mkdtempSync(join(tmpdir(), 'tally-bench-home-'));
const server = await startEmbedded({
  dataDir,
  secrets: { authenticator: 'authenticator-bench', service: 'service-bench', assistant: 'assistant-bench' },
});
try {
  const database = await fillDatabase(server, 'bench_home', symbols, 63);
  const service = await serve(database.urls);
  try {
    await benchHome(database, service);
  } finally {
    await service.close();
  }
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
