import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from './database.ts';
import { sendRequest, TestBrowser } from './identity.ts';

export interface ServerPair {
  urls: [string, string];
  stop(): Promise<void>;
}

/** Starts two server processes on one database. */
export async function startServers(db: TestDatabase): Promise<ServerPair> {
  const file = fileURLToPath(new URL('watchlist-server.ts', import.meta.url));
  const children = [1, 2].map(() =>
    spawn(process.execPath, [file, db.urls.authenticator, db.urls.service], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const urls = await Promise.all(
    children.map(async (child) => String(((await once(child.stdout, 'data')) as [Buffer])[0]).trim()),
  );
  return {
    urls: urls as [string, string],
    async stop() {
      const ended = children.map((child) => once(child, 'close'));
      for (const child of children) child.stdin.end();
      await Promise.all(ended);
    },
  };
}

/** Adds `R0001` and so on to the catalog. */
export async function addSymbols(db: Pick<TestDatabase, 'owner'>, count: number): Promise<string[]> {
  const symbols = Array.from({ length: count }, (_, i) => `R${String(i + 1).padStart(4, '0')}`);
  await db.owner(
    'insert into public.tracked_tickers_latest (symbol, asset_type, currency, current_price) select s, ' +
      `'stock', 'USD', 1 from unnest($1::text[]) s`,
    [symbols],
  );
  return symbols;
}

export interface Runner {
  idpId: string;
  /** Headers with a token for either server. */
  headers: Record<string, string>;
  /** Renews the token in the headers, which is valid for a minute. */
  renew(): Promise<void>;
}

/** Creates a member on a tier with the first `rows` symbols on the list. */
export async function createMember(
  db: TestDatabase,
  url: string,
  tier: 'free' | 'pro' | 'max',
  symbols: readonly string[],
): Promise<Runner> {
  const browser = new TestBrowser(url);
  const { userId, sessionId } = await browser.signUp();
  const headers = { authorization: '' };
  const renew = async (): Promise<void> => {
    headers.authorization = `Bearer ${await browser.token(sessionId)}`;
  };
  await renew();
  await sendRequest(`${url}/api/me`, 'GET', undefined, headers);
  await db.owner(`insert into public.subscriptions (idp_id, tier, status) values ($1, $2, 'active')`, [userId, tier]);
  await db.owner(
    'insert into public.watchlist_items (idp_id, symbol, position) select $1, s, n from unnest($2::text[]) ' +
      'with ordinality as g (s, n)',
    [userId, symbols],
  );
  return { idpId: userId, headers, renew };
}

/** Sends every call, `width` at a time, to each server in turn. Returns the number of responses by status. */
export async function raceAdds(
  urls: readonly string[],
  width: number,
  calls: readonly ((url: string) => Promise<{ status: number; body?: unknown }>)[],
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  let next = 0;
  const run = async (url: string): Promise<void> => {
    for (let call = calls[next++]; call; call = calls[next++]) {
      const { status, body } = await call(url);
      // The reason tells an overloaded machine from a fault.
      if (status >= 500) console.log(status, body);
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(urls.flatMap((url) => Array.from({ length: width }, () => run(url))));
  return counts;
}

export const addTo = (runner: Runner, symbol: string) => (url: string) =>
  sendRequest(`${url}/api/watchlist`, 'POST', { symbol }, runner.headers);

interface ListState {
  rows: number;
  /** True if positions are 1 to `rows`, each once. */
  dense: boolean;
}

export async function readListState(db: TestDatabase, idpId: string): Promise<ListState> {
  const rows = await db.owner<{ position: number }>(
    `select position from public.watchlist_items where idp_id = $1 order by position`,
    [idpId],
  );
  return { rows: rows.length, dense: rows.every(({ position }, i) => position === i + 1) };
}

/** Returns the length of the list over an open connection, since a new connection takes as long as a dozen adds. */
export async function countRows(db: TestDatabase, idpId: string): Promise<number> {
  const [row] = await db.database.service.query<{ n: number }>(
    `select count(*)::int as n from public.watchlist_items where idp_id = $1`,
    [idpId],
  );
  return row!.n;
}

/** Moves the member to Free and returns the number of rows at that moment, including concurrent adds. */
export function downgradeMember(db: TestDatabase, idpId: string): Promise<number> {
  return db.database.service.transaction(async (sql) => {
    await sql.query(`update public.subscriptions set tier = 'free' where idp_id = $1`, [idpId]);
    const [row] = await sql.query<{ n: number }>(
      `select count(*)::int as n from public.watchlist_items where idp_id = $1`,
      [idpId],
    );
    return row!.n;
  });
}
