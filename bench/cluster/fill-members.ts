import { setTimeout as sleep } from 'node:timers/promises';
import { readWorkerOf } from '../../test/support/citus.ts';
import { createEmail, sendRequest, TestBrowser } from '../../test/support/identity.ts';
import type { TestService } from '../../test/support/service.ts';

/** Members that one statement fills. */
const BATCH = 5_000;
const HISTORY_DAYS = 30;

export interface SignedInMember {
  idpId: string;
  /** Sends a request with a valid token. Throws if the response is not 2xx. */
  call(method: string, path: string, body?: object): Promise<unknown>;
  renewToken(): Promise<unknown>;
}

/**
 * Signs up members over HTTP until there are `count`, with the same number on each of the workers, and returns these.
 * Each has an address of its own, since sign-ups are limited by address. The service must trust this machine as a
 * proxy.
 */
export async function signUpEvenly(service: TestService, count: number, workers: number): Promise<SignedInMember[]> {
  const byWorker = new Map<string, number>();
  const members: SignedInMember[] = [];
  for (let number = 0; members.length < count; number += 1) {
    const member = await signUp(service, `10.0.${number >> 8}.${number & 255}`);
    if (workers > 0) {
      const worker = await readWorkerOf(service.database, member.idpId);
      const share = byWorker.get(worker) ?? 0;
      if (share >= count / workers) continue;
      byWorker.set(worker, share + 1);
    }
    members.push(member);
  }
  return members;
}

async function signUp(service: TestService, address: string): Promise<SignedInMember> {
  const browser = new TestBrowser(service.url, service.url);
  const form = { email_address: createEmail(), password: 'correct horse battery' };
  const { body: answer } = await browser.call('POST', '/client/sign_ups', form, { 'x-forwarded-for': address });
  const { created_user_id: idpId, created_session_id: sessionId } = answer.response;
  const call: SignedInMember['call'] = async (method, path, body) => {
    const headers = { authorization: `Bearer ${await browser.recentToken(sessionId)}`, origin: service.url };
    const response = await sendRequest(service.url + path, method, body, headers);
    if (response.status >= 300)
      throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(response.body)}`);
    return response.body;
  };
  await call('GET', '/api/me');
  return { idpId, call, renewToken: () => browser.token(sessionId) };
}

/**
 * Adds members without a sign-in until there are `total`, and gives all of them a subscription, an account, `items`
 * watched and held tickers of the catalog, and 30 days of net worth.
 */
export async function fillMembers(
  service: TestService,
  signedIn: readonly SignedInMember[],
  total: number,
  items: number,
): Promise<void> {
  const { owner } = service.database;
  const symbols = await readSymbols(service, items);
  const others = Array.from({ length: total - signedIn.length }, (_, number) => `member_${number}`);
  const ids = [...signedIn.map(({ idpId }) => idpId), ...others];
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    await owner(`insert into public.all_users (idp_id) select * from unnest($1::text[]) on conflict do nothing`, [
      batch,
    ]);
    await owner(
      `insert into public.subscriptions (idp_id, id, tier, status)
       select m, 'bench', 'max', 'active' from unnest($1::text[]) m`,
      [batch],
    );
    await owner(
      `insert into public.accounts (idp_id, name, currency, balance)
       select m, 'Cash', 'USD', 1000 from unnest($1::text[]) m`,
      [batch],
    );
    await owner(
      `insert into public.watchlist_items (idp_id, symbol, position)
       select m, s, n from unnest($1::text[]) m, unnest($2::text[]) with ordinality as g (s, n)`,
      [batch, symbols],
    );
    await owner(
      `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
       select a.idp_id, a.id, s, n, 100 * n
         from public.accounts a, unnest($2::text[]) with ordinality as g (s, n) where a.idp_id = any ($1)`,
      [batch, symbols],
    );
    await owner(
      `insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments)
       select m, current_date - n, 'USD', 1000, 5000 + n from unnest($1::text[]) m, generate_series(1, $2::int) n
       on conflict do nothing`,
      [batch, HISTORY_DAYS],
    );
  }
  await owner('vacuum analyze');
  // The servers write and clean up what was loaded, which would count as time of the first route.
  await owner('checkpoint');
  await sleep(1_000);
}

/** Returns symbols of the catalog with a price: AAPL, then the first ones. */
async function readSymbols(service: TestService, count: number): Promise<string[]> {
  const rows = await service.database.owner<{ symbol: string }>(
    `select symbol from public.tracked_tickers_latest
      where current_price is not null and currency = 'USD' order by symbol <> 'AAPL', symbol limit $1`,
    [count],
  );
  if (rows.length < count) throw new Error(`The catalog has only ${rows.length} tickers with a price.`);
  return rows.map(({ symbol }) => symbol);
}
