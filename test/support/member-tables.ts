import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { payCheckout } from './billing-app.ts';
import { parseReturn, completeBankPage, completeBrokeragePortal } from './connections-app.ts';
import { isOwnSchema } from './database-lints/own-schemas.ts';
import { eventually } from './eventually.ts';
import { type ApiResponse, callBackend, createEmail, sendRequest, TestBrowser } from './identity.ts';
import type { TestService } from './service.ts';

type Owner = TestService['database']['owner'];
type SentCall = (method: string, path: string, sent?: object) => Promise<ApiResponse>;
export type SignedIn = Awaited<ReturnType<typeof signInMember>>;

export interface OwnerColumn {
  table: string;
  column: string;
  /** True if the table's comment declares that its rows are retained under a pseudonym. */
  isRetained: boolean;
}

/**
 * Returns every column of our schemas that identifies the owner of a row, by its name or by a foreign key to a member
 * or person.
 */
export const listOwnerColumns = (owner: Owner): Promise<OwnerColumn[]> =>
  owner<OwnerColumn>(`
    select format('%I.%I', n.nspname, c.relname) as table, a.attname as column,
           coalesce(obj_description(c.oid, 'pg_class') ~* 'pseudonym', false) as "isRetained"
      from pg_class c join pg_namespace n on n.oid = c.relnamespace and ${isOwnSchema}
      join pg_attribute a on a.attrelid = c.oid
     where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
       and format('%I.%I', n.nspname, c.relname) not in ('public.all_users', 'idp.users')
       and (a.attname ~ '(^|_)(idp_id|user_id|member_id)$'
         or exists (select from pg_constraint k
                     where k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum]
                       and k.confrelid in ('public.all_users'::regclass, 'idp.users'::regclass)))
     order by 1, 2`);

/** Returns the tables with a row that contains the text. */
export async function listTablesWith(owner: Owner, text: string): Promise<string[]> {
  const tables = await owner<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c
      join pg_namespace n on n.oid = c.relnamespace and (${isOwnSchema} or n.nspname = 'graphile_worker')
     where c.relkind in ('r', 'p') order by 1`);
  const found: string[] = [];
  for (const { name } of tables)
    if ((await owner(`select 1 from ${name} t where strpos(t::text, $1) > 0 limit 1`, [text])).length > 0)
      found.push(name);
  return found;
}

interface SignInOptions {
  /** Headers of every request. */
  headers?: Record<string, string>;
  /** Origin of a hosted identity provider and of the pages. By default the service has the embedded one. */
  provider?: string | undefined;
}

/** Creates a new member, or signs in one of the first run. */
export async function signInMember(
  service: Pick<TestService, 'url'>,
  credentials?: { identifier: string; password: string },
  { headers = {}, provider }: SignInOptions = {},
) {
  const browser = new TestBrowser(provider ?? service.url, provider);
  const email = credentials?.identifier ?? createEmail();
  const { body } = credentials
    ? await browser.call('POST', '/client/sign_ins', credentials, headers)
    : await browser.call(
        'POST',
        '/client/sign_ups',
        { email_address: email, password: 'correct horse battery' },
        headers,
      );
  const sessionId = body.response.created_session_id as string;
  const call = async (method: string, path: string, sent?: object) => {
    const authorization = `Bearer ${await browser.recentToken(sessionId)}`;
    return sendRequest(`${service.url}${path}`, method, sent, { authorization, ...headers });
  };
  assert.equal((await call('GET', '/api/me')).status, 200);
  return { idpId: (await call('GET', '/api/me')).body.idp_user_id as string, email, call, browser };
}

/**
 * Inserts a row of the member into every table that can have one. A new table needs an insert here. `text` is what the
 * member writes.
 */
export async function insertMemberRows(
  service: TestService,
  { idpId, email, call, browser }: SignedIn,
  text = 'Mine',
): Promise<{ key: string }> {
  const created = await call('POST', '/api/api-keys', { name: text });
  assert.equal(created.status, 201);
  assert.equal((await call('POST', '/api/assistant/tokens', { name: text })).status, 201);
  assert.equal((await call('POST', '/api/accounts', { name: text, balance: 1 })).status, 201);
  assert.equal((await browser.call('PATCH', '/me', { first_name: text, last_name: text })).status, 200);
  assert.equal((await call('GET', '/api/referrals/get-link')).status, 200);
  const layout = await call('GET', '/api/dashboard');
  const cards = (layout.body.cards as { id: string }[]).map(({ id }) => ({ id }));
  assert.equal((await call('PUT', '/api/dashboard', { cards })).status, 200);
  assert.equal((await call('PATCH', '/api/portfolio/settings', { base_currency: 'GBP' })).status, 200);
  const file = { text: 'Symbol,Quantity\nAAPL,1\n', columns: ['symbol', 'quantity'] };
  assert.equal((await call('POST', '/api/holdings/import', file)).status, 200);
  const alert = { symbol: 'AAPL', kind: 'above', threshold: 1e9, note: text };
  assert.equal((await call('POST', '/api/alerts', alert)).status, 201);
  await service.database.owner(
    `insert into public.fired_alerts (idp_id, symbol, kind, threshold, note, price, price_at, delayed_minutes, sample, mail_pending)
     values ($1, 'AAPL', 'above', 1, $2, 1, now(), 0, true, false)`,
    [idpId, text],
  );
  const event = { event: 'watchlist_viewed', properties: { feature: 'watchlist' } };
  assert.equal((await call('POST', '/api/analytics/events', { events: [event] })).status, 202);
  assert.equal((await call('PUT', '/api/analytics/choice', { enabled: true })).status, 200);
  await service.database.owner(
    `insert into public.feature_flag_members (flag, idp_id, enabled) select flag, $1, true from public.feature_flags`,
    [idpId],
  );
  await service.database.owner(`insert into public.demo_access_invitations (label, idp_user_id) values ($1, $2)`, [
    text,
    idpId,
  ]);
  const owner = service.database.owner;
  await owner(`insert into public.first_connections (idp_id, kind, connection_id) values ($1, 'bank', $2)`, [
    idpId,
    randomUUID(),
  ]);
  // The member is referred by another member and refers a third.
  const other = `user_${randomUUID()}`;
  const third = `user_${randomUUID()}`;
  await owner('insert into public.all_users (idp_id) values ($1), ($2)', [other, third]);
  for (const [referred, referrer] of [
    [idpId, other],
    [third, idpId],
  ])
    await owner(
      `insert into public.referrals (referred_idp_id, referrer_idp_id, source, signed_up_at)
       values ($1, $2, 'operator', now())`,
      [referred, referrer],
    );
  await owner(
    `insert into public.referral_audit (referral_id, action, reason, referrer_idp_id, previous_referrer_idp_id)
     select id, 'replaced', 'a ticket', $1, $1 from public.referrals where referrer_idp_id = $1`,
    [idpId],
  );
  await owner(
    `with made as (insert into public.assistant_conversations (idp_id, title) values ($1, $2) returning idp_id, id)
     insert into public.assistant_messages (idp_id, conversation_id, role, text)
       select idp_id, id, 'member', $2 from made`,
    [idpId, text],
  );
  await owner(
    `insert into public.assistant_usage (idp_id, answer_id, day, expires_at)
     values ($1, gen_random_uuid(), current_date, now())`,
    [idpId],
  );
  await owner(`insert into public.tier_grants (idp_id, tier) values ($1, 'pro') on conflict (idp_id) do nothing`, [
    idpId,
  ]);
  await subscribe(service, call);
  await owner(
    `insert into public.billing_refunds_and_disputes (payer, id, kind, status, currency, net_minor, created_at)
     select payer, 're_test', 'refund', 'succeeded', 'usd', 100, now() from public.billing_customers where idp_id = $1`,
    [idpId],
  );
  await service.database.owner('insert into public.demo_resets (idp_id) values ($1)', [idpId]);
  await connectBank(service, call);
  await connectBrokerage(service, call);
  // A hosted provider stores its own rows.
  if ((await owner('select from idp.users where id = $1', [idpId])).length > 0)
    await insertProviderRows(service, { idpId, email }, text);
  await eventually(
    async () =>
      (await service.database.owner('select 1 from public.analytics_events where idp_id = $1', [idpId])).length > 0,
  );
  return { key: created.body.key as string };
}

/** Inserts a row of the user into every table of the embedded identity provider. */
async function insertProviderRows(
  { url, database: { owner } }: TestService,
  { idpId, email }: Pick<SignedIn, 'idpId' | 'email'>,
  text: string,
): Promise<void> {
  await owner(
    `insert into idp.one_time_links (id, user_id, purpose, email, code_hash, expires_at)
     values ('link_' || $1, $1, 'reset_password', $2, 'x', now())`,
    [idpId, email],
  );
  await owner(
    `insert into idp.passkeys (id, user_id, name, credential_id, public_key, counter, transports, backed_up)
     values ('pkey_' || $1, $1, $2, $1, 'x', 0, '{}', false)`,
    [idpId, text],
  );
  await owner(`insert into idp.totp_factors (user_id, id, secret) values ($1, 'totp_' || $1, 'x')`, [idpId]);
  await owner(`insert into idp.recovery_codes (user_id, code_hash) values ($1, 'x')`, [idpId]);
  await owner(
    `insert into idp.pending_sign_ins (id, client_id, user_id, expires_at)
     select 'sia_' || $1, client_id, $1, now() from idp.sessions where user_id = $1 limit 1`,
    [idpId],
  );
  // An event that waits for its next attempt.
  await owner(
    `insert into idp.webhook_messages (id, type, user_id, payload, next_attempt_at)
     values ('msg_' || $1, 'user.updated', $1, $2, now() + interval '1 hour')`,
    [idpId, JSON.stringify({ data: { id: idpId, email_addresses: [{ email_address: email }], first_name: text } })],
  );
  const ticket = await callBackend(url, 'POST', '/sign_in_tokens', { user_id: idpId, expires_in_seconds: 60 });
  assert.equal(ticket.status, 200);
}

/** Pays for a plan in the sandbox, so that every payment table has a row of the member. */
async function subscribe(service: TestService, call: SentCall): Promise<void> {
  const { body } = await call('POST', '/api/billing/checkout', { tier: 'pro' });
  await payCheckout(service, body.url);
  const { status } = await call('POST', '/api/billing/sync', { checkout_id: body.checkout_id });
  assert.equal(status, 200);
}

/** Returns the loaded files of aggregators' libraries in this process. */
export const listLoadedLibraries = (): string[] =>
  Object.keys(createRequire(import.meta.url).cache).filter((file) => /node_modules\/(plaid|axios)\//.test(file));

/** Connects the sandbox bank, so that every table of connections has a row of the member. */
async function connectBank(service: TestService, call: SentCall): Promise<void> {
  const { body } = await call('POST', '/api/connections/start', { kind: 'bank' });
  await completeBankPage(service, body.url);
  await eventually(
    async () =>
      (await call('POST', '/api/connections/finish', { attempt_id: body.attempt_id })).body.status === 'connected',
  );
  assert.ok(listLoadedLibraries().length > 0);
}

/** Connects the sandbox brokerage. */
async function connectBrokerage(service: TestService, call: SentCall): Promise<void> {
  const { body } = await call('POST', '/api/connections/start', { kind: 'brokerage' });
  const returned = parseReturn(await completeBrokeragePortal(service, body.url));
  const finish = () => call('POST', '/api/connections/finish', { attempt_id: body.attempt_id, returned });
  await eventually(async () => (await finish()).body.status === 'connected');
}
