// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { examples } from '../src/platform/http/openapi/examples.ts';
import { findHolder, MEASURED, STORED } from '../tools/describe-writes.ts';
import { isOwnSchema } from './support/database-lints/own-schemas.ts';
import { eventually } from './support/eventually.ts';
import { type RouteEntry, startServiceWithRoutes } from './support/every-route.ts';
import { isRead } from './support/record-routes.ts';

type Every = Awaited<ReturnType<typeof startServiceWithRoutes>>;
type Owner = Every['service']['database']['owner'];

/** Bytes of a row beside its values, and of its entry in one index. */
const ROW_BYTES = 28;
const INDEX_ENTRY_BYTES = 60;
/** Bytes by which a replaced row may grow, such as a time that was null. */
const REPLACED_BYTES = 100;

/** Returns the statement that sums the bytes of all rows of our tables, with their entries in indexes. */
async function createSizeQuery(owner: Owner): Promise<string> {
  const tables = await owner<{ name: string; indexes: number }>(
    `select format('%I.%I', n.nspname, c.relname) as name,
            (select count(*)::int from pg_index i where i.indrelid = c.oid) as indexes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace and ${isOwnSchema}
      where c.relkind = 'r'`,
  );
  const parts = tables.map(
    ({ name, indexes }) =>
      `select coalesce(sum(pg_column_size(t.*) + ${ROW_BYTES + indexes * INDEX_ENTRY_BYTES}), 0) as bytes from ${name} t`,
  );
  return `select sum(bytes)::float8 as bytes from (${parts.join(' union all ')}) s`;
}

/** Writes that test/write-bytes.test.ts measures in many rounds. */
const MEASURED_IN_ROUNDS = ['POST /api/watchlist', 'DELETE /api/watchlist/:id'];

/** Bodies of routes without a contract. */
const OTHER_BODIES: Readonly<Record<string, object>> = {
  'POST /_idp/v1/client/sign_ups': { email_address: 'long@example.com', password: 'correct horse battery' },
  'PATCH /_idp/v1/me': { first_name: 'A' },
  'PATCH /_idp/v1/me/metadata': { unsafe_metadata: { a: 'b' } },
  'POST /_idp/v1/me/metadata': { unsafe_metadata: { a: 'c' } },
  'POST /_idp/v1/me/totp': {},
};

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Returns the first id in a response. */
function findId(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { id } = body as { id?: unknown };
  if (typeof id === 'string') return id;
  return Object.values(body).reduce<string | undefined>((found, part) => found ?? findId(part), undefined);
}

/** Creations precede what changes and deletes them, and the ends of the callers' sessions are last. */
const ORDER = ['POST', 'PUT', 'PATCH', 'DELETE'];
const SESSION_ENDS = ['DELETE /api/operator/session', 'DELETE /_idp/v1/client/sessions', 'DELETE /_idp/v1/me'];
const getRank = ({ method, url }: RouteEntry): number =>
  SESSION_ENDS.includes(`${method} ${url}`)
    ? ORDER.length * 2
    : ORDER.indexOf(method) * 2 + (url.includes(':') ? 1 : 0);

test('stores no more than documented in each write that its example reaches', async (t) => {
  const every = await startServiceWithRoutes();
  t.onTestFinished(() => every.service.stop());
  const { owner } = every.service.database;
  const sizeQuery = await createSizeQuery(owner);
  const readSize = async () => (await owner<{ bytes: number }>(sizeQuery))[0]!.bytes;
  /** Events wait until they are delivered, and what stays of them is measured. */
  const waitForDelivery = () => eventually(async () => (await owner('select from idp.webhook_messages')).length === 0);
  const ids = new Map<string, string>();
  const measured: string[] = [];
  const excesses: string[] = [];
  const routes = every.routes
    .filter(({ method, url }) => !isRead(method) && findHolder(url) === undefined && !url.startsWith('/v1/'))
    .toSorted((a, b) => getRank(a) - getRank(b));
  for (const route of routes) {
    const name = `${route.method} ${route.url}`;
    const parent = route.url.slice(0, Math.max(0, route.url.indexOf('/:')));
    const path = route.url.replace(/:\w+/, ids.get(parent) ?? 'x');
    const example = (route.definition && examples[route.definition.id]?.body) ?? OTHER_BODIES[name];
    const account = ids.get('/api/accounts');
    const body = example && (account ? JSON.stringify(example).replaceAll(UUID, account) : JSON.stringify(example));
    const headers = await every.getCredentials(route);
    await waitForDelivery();
    const before = await readSize();
    const response = await fetch(`${every.service.url}${path}`, {
      method: route.method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
      redirect: 'manual',
    });
    const text = await response.text();
    if (response.status >= 300) continue;
    await waitForDelivery();
    const bytes = (await readSize()) - before;
    // A job or a row that its bound had room for before is no measurement.
    if (bytes > 0) measured.push(name);
    if (bytes > STORED[name]!.bytes + REPLACED_BYTES) excesses.push(`${name}: ${bytes} bytes`);
    const id = text.startsWith('{') ? findId(JSON.parse(text)) : undefined;
    if (id !== undefined && !route.url.includes(':')) ids.set(route.url, id);
  }
  assert.deepEqual(excesses, []);
  assert.deepEqual(
    [...measured.filter((name) => STORED[name]!.bytes > 0), ...MEASURED_IN_ROUNDS].sort(),
    [...MEASURED].sort(),
    'update the measured routes in tools/describe-writes.ts',
  );
});
