import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, test } from 'vitest';
import { parse } from 'yaml';
import { runProgram } from '../cli/main.ts';
import { loadOperatorSettings } from '../src/config/load-config.ts';
import { settings } from '../src/config/settings.ts';
import { type ErrorCode } from '../src/errors.ts';
import { streamEvent } from '../src/features/assistant/contract.ts';
import { upgradeSources } from '../src/features/watchlist/contract.ts';
import { getSourceLabel } from '../src/features/billing/entry-sources.ts';
import { createFetchMedia } from '../src/features/token-api/url-media/fetch-media.ts';
import { marketSchedules, REFRESH } from '../src/market-data/market-jobs.ts';
import { getEarningsChip } from '../src/market-data/domain/earnings-chip.ts';
import { addDays } from '../src/market-data/domain/dates.ts';
import { getUpcomingRange } from '../src/market-data/services/earnings/list-reports.ts';
import { listFetchedReports } from '../src/market-data/services/earnings/report-queries.ts';
import { getCandleYear } from '../src/market-data/services/history/backfill-history.ts';
import { readDailyCloses } from '../src/market-data/services/history/history-queries.ts';
import { createMarketStatus } from '../src/market-data/services/market-status.ts';
import { eventContract, findEventShape, sharedProperties } from '../src/platform/analytics/contract.ts';
import { toMessagesErrorBody } from '../src/platform/http/error-body.ts';
import { statusByErrorCode } from '../src/platform/http/status.ts';
import { startServiceWithRoutes } from './support/every-route.ts';
import { eventually } from './support/eventually.ts';
import { createEmail, sendRequest, TestBrowser } from './support/identity.ts';
import { signInMember, type SignedIn } from './support/member-tables.ts';
import { type OpenApiDocument, readOpenApi } from './support/openapi-fields.ts';

type Sections<Entry> = Readonly<Record<string, Entry>>;
type Names = Sections<readonly string[]>;
/** Names by what has them, such as the fields of a route. */
type OwnedNames = Sections<Names>;

const names = parse(readFileSync(new URL('fixed-names.yaml', import.meta.url), 'utf8')) as Readonly<
  Record<string, Names | OwnedNames>
>;

const testedKinds = new Set<string>();

/** Returns the names of a kind that are not found, each with its section. */
async function listMissing(kind: string, isFound: (name: string) => boolean | Promise<boolean>): Promise<string[]> {
  testedKinds.add(kind);
  const missing: string[] = [];
  for (const [section, list] of Object.entries(names[kind] as Names))
    for (const name of list) if (!(await isFound(name))) missing.push(`${name} (${section})`);
  return missing;
}

/** Returns the names of a kind that are not found, each with its owner and section. */
async function listMissingOwned(
  kind: string,
  isFound: (owner: string, name: string) => boolean | Promise<boolean>,
): Promise<string[]> {
  testedKinds.add(kind);
  const missing: string[] = [];
  for (const [section, owners] of Object.entries(names[kind] as OwnedNames))
    for (const [owner, list] of Object.entries(owners))
      for (const name of list) if (!(await isFound(owner, name))) missing.push(`${owner}: ${name} (${section})`);
  return missing;
}

let every: Awaited<ReturnType<typeof startServiceWithRoutes>>;
let free: SignedIn;
/** A member for whom the rollout flag is off. */
let unlisted: SignedIn;
let openApi: ReturnType<typeof readOpenApi>;
let document: OpenApiDocument;
beforeAll(async () => {
  every = await startServiceWithRoutes({ TOKEN_COUNT_RATE_LIMITS: '' });
  const signIn = (wanted: string) => {
    const { email, password } = every.service.firstRun.members.find(({ tier }) => tier === wanted)!;
    return signInMember(every.service, { identifier: email, password });
  };
  free = await signIn('free');
  unlisted = await signIn('pro');
  const [flag] = Object.values(names['flags'] as Names).flat();
  await query('insert into public.feature_flag_members (flag, idp_id, enabled) values ($1, $2, false)', [
    flag,
    unlisted.idpId,
  ]);
  document = (await (await fetch(`${every.service.url}/openapi.json`)).json()) as OpenApiDocument;
  openApi = readOpenApi(document);
});
afterAll(() => every.service.stop());

/** Returns the names of all fields of a schema, or of all schemas in a document. */
function listFieldNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
    if (/^(example|enum|const|default)$/.test(key)) return [];
    if (key !== 'properties') return listFieldNames(part);
    return [...Object.keys(part as object), ...Object.values(part as object).flatMap(listFieldNames)];
  });
}

/** Sends a request as the member of the plan Max, an operator or a key holder, as the address requires. */
const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  sendRequest(`${every.service.url}${path}`, method, body, {
    ...(await every.getCredentials({ method, url: path })),
    ...headers,
  });
const query = <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
  every.service.database.owner<Row>(text, values);
/** Returns whether the query returns a row. */
const hasRow = async (text: string, values: readonly unknown[]): Promise<boolean> =>
  (await query(text, values)).length > 0;
const splitColumn = (name: string): string[] => name.split('.');

const COLUMN = `select from information_schema.columns
  where table_schema = 'public' and table_name = $1 and column_name = $2`;

test('has applied each named migration when the database is migrated', async () => {
  const applied = await query<{ name: string }>('select name from tally.migrations');
  assert.deepEqual(await listMissing('migrations', (name) => applied.some((row) => row.name === name)), []);
});

test('has each named table when the database is migrated', async () => {
  const isTable = (name: string) =>
    hasRow(`select from pg_class where oid = to_regclass('public.' || $1) and relkind in ('r', 'p')`, [name]);
  assert.deepEqual(await listMissing('tables', isTable), []);
});

test('has each named column when the database is migrated', async () => {
  assert.deepEqual(await listMissing('columns', (name) => hasRow(COLUMN, splitColumn(name))), []);
});

test('has none of the excluded columns when the database is migrated', async () => {
  const isAbsent = async (entry: string) => {
    const [, table = '', word = '', allowed = ''] = /^(\w+): (\w+)(?: except (.+))?$/.exec(entry) ?? [];
    const columns = await query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1`,
      [table],
    );
    const found = columns.filter(({ name }) => name.includes(word) && !allowed.split(', ').includes(name));
    return columns.length > 0 && found.length === 0;
  };
  assert.deepEqual(await listMissing('absent_columns', isAbsent), []);
});

test('lets a member update exactly the named columns when the member has rows in the table', async () => {
  const updatable = await query<{ name: string }>(`
    select c.relname || '.' || a.attname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.oid = 'public.watchlist_items'::regclass and has_column_privilege('authenticated', c.oid, a.attnum, 'update')
       and not has_table_privilege('authenticated', c.oid, 'insert')`);
  assert.deepEqual(await listMissing('updatable_columns', (name) => updatable.some((row) => row.name === name)), []);
  assert.equal(updatable.length, 2);
});

test('has each named foreign key when the database is migrated', async () => {
  const isKey = (name: string) => {
    const [column = '', referenced] = name.split(' -> ');
    return hasRow(
      `select from pg_constraint k
         join pg_attribute a on a.attrelid = k.conrelid and k.conkey = array[a.attnum]
        where k.contype = 'f' and k.conrelid = to_regclass('public.' || $1) and a.attname = $2
          and k.confrelid = to_regclass('public.' || $3)`,
      [...splitColumn(column), referenced],
    );
  };
  assert.deepEqual(await listMissing('foreign_keys', isKey), []);
});

test('keeps the named columns unique when the database is migrated', async () => {
  const isUnique = (name: string) => {
    const [table, columns = ''] = name.split(': ');
    return hasRow(
      `select from pg_index i
        where i.indrelid = to_regclass('public.' || $1) and i.indisunique
          and coalesce(pg_get_expr(i.indpred, i.indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$', true)
          and $2::text[] = (select array_agg(a.attname::text order by a.attname)
                        from pg_attribute a where a.attrelid = i.indrelid and a.attnum = any (i.indkey))`,
      [table, columns.split(', ').sort()],
    );
  };
  assert.deepEqual(await listMissing('unique_columns', isUnique), []);
});

test('has each named function when a role executes it', async () => {
  const isExecutable = (name: string) => {
    const [routine, role] = name.split(': ');
    return hasRow(
      `select from pg_proc where pronamespace = 'public'::regnamespace and proname = $1
          and has_function_privilege($2, oid, 'execute')
          and not exists (select from unnest(array['anon', 'authenticated']) client
                           where client <> $2 and has_function_privilege(client, oid, 'execute'))`,
      [routine, role],
    );
  };
  assert.deepEqual(await listMissing('functions', isExecutable), []);
});

test('has each named role when the database is migrated', async () => {
  const isRole = async (name: string) => {
    const [role = '', members] = name.split(': ');
    const isLogin = role.endsWith('authenticator');
    if (!(await hasRow('select from pg_roles where rolname = $1 and rolcanlogin = $2', [role, isLogin]))) return false;
    if (members === undefined) return true;
    const granted = await query<{ name: string }>(
      `select granted.rolname as name from pg_auth_members m join pg_roles granted on granted.oid = m.roleid
        where m.member = $1::regrole order by 1`,
      [role],
    );
    const isExact = members.startsWith('only ');
    const expected = members.replace(/^only /, '').split(', ');
    return (
      (!isExact || granted.length === expected.length) &&
      expected.every((one) => granted.some((row) => row.name === one))
    );
  };
  assert.deepEqual(await listMissing('roles', isRole), []);
});

test('keeps the named tables from clients when the database is migrated', async () => {
  const isClosed = (name: string) =>
    hasRow(
      `select from pg_class c where oid = to_regclass('public.' || $1) and relrowsecurity
          and not has_any_column_privilege('authenticated', oid, 'select')
          and not has_any_column_privilege('anon', oid, 'select')
          and not exists (select from pg_policy p where p.polrelid = c.oid
                           and p.polroles && array['anon'::regrole::oid, 'authenticated'::regrole::oid, 0::oid])`,
      [name],
    );
  assert.deepEqual(await listMissing('server_only_tables', isClosed), []);
});

test('stores each named value when the database is migrated', async () => {
  const isStored = (name: string) => {
    const [column = '', value] = name.split('=');
    return hasRow(
      `select from information_schema.columns c
         left join pg_constraint k on k.conrelid = to_regclass('public.' || $1) and k.contype = 'c'
        where c.table_schema = 'public' and c.table_name = $1 and c.column_name = $2
          and (strpos(coalesce(c.generation_expression, '') || coalesce(pg_get_constraintdef(k.oid), ''), quote_literal($3)) > 0)`,
      [...splitColumn(column), value],
    );
  };
  assert.deepEqual(await listMissing('stored_values', isStored), []);
});

test('has each named flag when the service runs', async () => {
  const isFlag = (name: string) => hasRow('select from public.feature_flags where flag = $1', [name]);
  assert.deepEqual(await listMissing('flags', isFlag), []);
});

test('has each named card when the dashboard is read', async () => {
  const { cards, removed } = (await free.call('GET', '/api/dashboard')).body;
  const isCard = (name: string) => [...cards, ...removed].some(({ id }: { id: string }) => id === name);
  assert.deepEqual(await listMissing('cards', isCard), []);
});

const EXAMPLE_ID = '00000000-0000-4000-8000-000000000000';

/** Returns whether the service answers the route, which an unauthenticated caller may not use. */
async function isAnswered(name: string): Promise<boolean> {
  const [method = '', path = ''] = name.split(' ');
  const response = await sendRequest(
    `${every.service.url}${path.replaceAll(/\{\w+\}/g, EXAMPLE_ID)}`,
    method,
    method === 'GET' ? undefined : {},
  );
  const isUnknown = response.status === 404 && response.body.code === 'NOT_FOUND';
  return !isUnknown && response.status !== 405 && response.status < 500;
}

test('answers each named route when it is called', async () => {
  const isRoute = async (name: string) => openApi.getOperation(name) !== undefined && (await isAnswered(name));
  // An unknown path of the identity provider returns 404 in its own form, so these routes must also be declared.
  const declared = new Set(every.routes.map(({ method, url }) => `${method} ${url.replaceAll(/:\w+/g, '{}')}`));
  const isOtherRoute = async (name: string) =>
    declared.has(name.replaceAll(/\{\w+\}/g, '{}')) && (await isAnswered(name));
  assert.deepEqual(
    [...(await listMissing('routes', isRoute)), ...(await listMissing('other_routes', isOtherRoute))],
    [],
  );
});

test('answers each named page when its address is opened', async () => {
  const open = (path: string) =>
    fetch(`${every.service.url}${path}`, {
      redirect: 'manual',
      headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' },
    });
  const isPage = async (name: string) => {
    const response = await open(name);
    return response.status === 200 && response.headers.get('content-type')?.startsWith('text/html') === true;
  };
  assert.deepEqual(await listMissing('pages', isPage), []);
  assert.equal((await open('/no-such-page')).status, 404);
});

test('describes each named parameter when the document is read', async () => {
  const isParameter = (entry: string) => {
    const [method, path, place, name] = entry.split(' ');
    return openApi
      .getParameters(`${method} ${path}`)
      .some((parameter) => parameter.in === place && parameter.name === name);
  };
  assert.deepEqual(await listMissing('parameters', isParameter), []);
});

test('describes each named credential when the document is read', async () => {
  const isCredential = (entry: string) => {
    const [method, path, credential] = entry.split(' ');
    return (openApi.getOperation(`${method} ${path}`)?.security ?? []).flatMap(Object.keys).some((id) => {
      const { scheme, name } = document.components.securitySchemes[id]!;
      return scheme === credential || name === credential;
    });
  };
  const isOpen = (route: string) => openApi.getOperation(route)?.security.length === 0;
  assert.deepEqual(
    [...(await listMissing('credentials', isCredential)), ...(await listMissing('open_routes', isOpen))],
    [],
  );
});

test('describes each named content type when the document is read', async () => {
  const isContentType = (entry: string) => {
    const [method, path, part, type = ''] = entry.split(' ');
    const route = `${method} ${path}`;
    const body =
      part === 'request' ? openApi.getOperation(route)?.requestBody : openApi.getResponse(`${route} ${part}`);
    return Object.hasOwn(body?.content ?? {}, type);
  };
  assert.deepEqual(await listMissing('content_types', isContentType), []);
});

const COUNT = '/v1/messages/count_tokens';
const countRequest = { model: 'claude-opus-4-5', messages: [{ role: 'user', content: 'Hello' }] };
const withBearer = () => ({ authorization: `Bearer ${every.service.firstRun.api_key}` });

test('accepts each named version when a request counts tokens', async () => {
  const isVersion = async (version: string) => {
    for (const header of ['svc-version', 'anthropic-version']) {
      const sent = { 'x-api-key': every.service.firstRun.api_key, [header]: version };
      const { status } = await sendRequest(`${every.service.url}${COUNT}?beta=true`, 'POST', countRequest, sent);
      if (status !== 200) return false;
    }
    return true;
  };
  assert.deepEqual(await listMissing('versions', isVersion), []);
  assert.equal((await send('POST', COUNT, countRequest, { 'svc-version': '2020-01-01' })).status, 400);
  const asBearer = { ...withBearer(), 'svc-version': '2023-06-01' };
  assert.equal((await sendRequest(`${every.service.url}${COUNT}`, 'POST', countRequest, asBearer)).status, 200);
});

test('accepts each named field when a request carries it', async () => {
  const isField = (route: string, name: string) => openApi.hasField(openApi.getRequest(route), name);
  assert.deepEqual(await listMissingOwned('request_fields', isField), []);
});

test('writes every field in snake_case when it is not one of the named exceptions', async () => {
  const fields = new Set(listFieldNames(document));
  assert.deepEqual(await listMissing('camel_case_fields', (name) => fields.has(name)), []);
  assert.deepEqual(
    [...fields].filter((name) => !/^[a-z0-9_]+$/.test(name)),
    ['usedAt'],
  );
});

test('refuses each excluded field when a request carries it', async () => {
  const isRefused = async (route: string, name: string) => {
    const [method = '', path = ''] = route.split(' ');
    const base = path === COUNT ? countRequest : { invitation_id: EXAMPLE_ID, ticket: 'x' };
    const { status, body } = await send(method, path, { ...base, [name]: 1 });
    const isNamed =
      path === COUNT
        ? body.error.message === `${name}: Extra inputs are not permitted`
        : JSON.stringify(body.issues).includes(name);
    return !openApi.hasField(openApi.getRequest(route), name) && status === 400 && isNamed;
  };
  assert.deepEqual(await listMissingOwned('absent_request_fields', isRefused), []);
});

test('has each named field when a response is sent', async () => {
  const isField = (response: string, name: string) => openApi.hasField(openApi.getBodies(response), name);
  assert.deepEqual(await listMissingOwned('response_fields', isField), []);
});

/** Returns the values at a path of a response, of all elements of its lists. */
const collectValues = (value: unknown, path: readonly string[]): unknown[] => {
  if (Array.isArray(value)) return value.flatMap((element) => collectValues(element, path));
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isObject ? collectValues((value as Record<string, unknown>)[name], rest) : [];
};

test('answers the fields of the document when a member reads', async () => {
  const owners = Object.values(names['response_fields'] as OwnedNames).flatMap(Object.entries) as [string, string[]][];
  // Reads whose seeded response has a row in each list, with the optional fields that depend on a state.
  const optional = new Set(['tier_stale', 'earnings.chip', 'groups.results.watched']);
  const paths: Readonly<Record<string, string>> = {
    'GET /api/watchlist 200': '/api/watchlist',
    'GET /api/watchlist/ticker/{symbol} 200': '/api/watchlist/ticker/AAPL',
    'GET /api/watchlist/earnings 200': '/api/watchlist/earnings',
    'GET /api/investments/search 200': '/api/investments/search?q=a&limit=10',
    'GET /api/referrals/stats 200': '/api/referrals/stats',
    'GET /api/referrals/get-link 200': '/api/referrals/get-link',
    'GET /api/billing 200': '/api/billing',
    'GET /api/assistant 200': '/api/assistant',
    'GET /v1/models 200': '/v1/models',
  };
  const missing: string[] = [];
  for (const [response, path] of Object.entries(paths)) {
    const { status, body } = await send('GET', path);
    assert.equal(status, 200, path);
    for (const [owner, fields] of owners)
      for (const field of owner === response ? fields : []) {
        const steps = field.split('=')[0]!.split('.');
        const last = steps.pop()!;
        // The seeded member's plan does not change, and the keys of the map depend on the history.
        const parents = collectValues(body, steps).filter((parent) => parent !== null) as object[];
        const isPresent =
          /^(pending_change|ranges)$/.test(steps[0] ?? '') || parents.some((parent) => Object.hasOwn(parent, last));
        if (!isPresent && !optional.has(field.split('=')[0]!)) missing.push(`${response}: ${field}`);
      }
  }
  assert.deepEqual(missing, []);
});

test('has none of the excluded fields when a response is sent', async () => {
  const isAbsent = (owner: string, name: string) => {
    const [, response = '', variant] = /^(\S+ \S+ \d+)( locked)?$/.exec(owner) ?? [];
    const bodies = openApi.getBodies(response);
    if (variant === undefined) return !openApi.hasField(bodies, name);
    const locked = openApi.filterBy(openApi.find(bodies, 'items'), 'locked', 'true');
    return locked.length > 0 && !openApi.hasField(locked, name);
  };
  assert.deepEqual(await listMissingOwned('absent_response_fields', isAbsent), []);
});

test('sends no body when the document gives a response none', async () => {
  const isEmpty = (name: string) => {
    const response = openApi.getResponse(name);
    return response !== undefined && response.content === undefined;
  };
  assert.deepEqual(await listMissing('empty_responses', isEmpty), []);
});

test('describes each named error when the document is read', async () => {
  const hasError = (name: string) => openApi.getBodies(name).length > 0;
  const hasField = (error: string, name: string) => openApi.hasField(openApi.getBodies(error), name);
  assert.deepEqual(
    [...(await listMissing('errors', hasError)), ...(await listMissingOwned('error_fields', hasField))],
    [],
  );
});

test('has the status of each named error when a client causes it', async () => {
  const trackSignup = (body: string, type: string) =>
    sendRequest(`${every.service.url}/api/referrals/track-signup`, 'POST', body, { 'content-type': type });
  const answers: Readonly<Record<string, { status: number; body: { code: string } }>> = {
    'invalid body': await free.call('POST', '/api/watchlist', {}),
    'unknown field': await free.call('POST', '/api/watchlist', { symbol: 'AAPL', unknown: 1 }),
    'body that is not JSON': await trackSignup('{', 'application/json'),
    'no credential': await sendRequest(`${every.service.url}/api/watchlist`, 'GET'),
    'write in the demo tour': await send('POST', '/api/watchlist', { symbol: 'AAPL' }, { 'x-demo-tour': '1' }),
    'unknown path': await free.call('GET', '/api/nothing'),
    'wrong method': await free.call('DELETE', '/api/watchlist'),
    'body over the limit': await send('POST', '/api/watchlist/import', { text: 'x'.repeat(2_000_000) }),
    'wrong content type': await trackSignup('x=1', 'x/y'),
  };
  const isCaused = (entry: string) => {
    const [, request = '', status, code] = /^(.+) (\d{3})(?: (\w+))?$/.exec(entry) ?? [];
    const answer = answers[request];
    return answer?.status === Number(status) && (code === undefined || answer.body.code === code);
  };
  const isStatus = (entry: string) => {
    const [code = '', status] = entry.split(' ');
    return statusByErrorCode[code as ErrorCode] === Number(status);
  };
  assert.deepEqual(
    [...(await listMissing('error_statuses', isCaused)), ...(await listMissing('error_codes', isStatus))],
    [],
  );
});

test('has the named error type of each status when /v1 refuses a request', async () => {
  const url = `${every.service.url}${COUNT}`;
  const key = { ...withBearer(), 'svc-version': '2023-06-01' };
  const refused = await send('POST', COUNT, {});
  const caused = [
    refused,
    await sendRequest(url, 'POST', countRequest, { 'svc-version': '2023-06-01' }),
    await send('POST', COUNT, { ...countRequest, model: 'unknown' }),
    await send('GET', COUNT),
    await sendRequest(url, 'POST', 'x=1', { ...key, 'content-type': 'x/y' }),
  ];
  assert.deepEqual(
    caused.map(({ status }) => status),
    [400, 401, 404, 405, 415],
  );
  const isType = (name: string) => {
    const [type, status] = name.split(' ');
    const isSent = caused.every((answer) => answer.status !== Number(status) || answer.body.error.type === type);
    return isSent && toMessagesErrorBody(Number(status), 'x', 'req_1').error.type === type;
  };
  assert.deepEqual(await listMissing('messages_errors', isType), []);
  assert.equal(refused.headers.get('request-id'), refused.body.request_id);
  const isField = (name: string) => collectValues(refused.body, name.split('.')).length === 1;
  assert.deepEqual(await listMissing('messages_error_fields', isField), []);
});

test('sends each named header when the response has a reason for it', async () => {
  const responses: Readonly<Record<string, { headers: Headers }>> = {
    api: await free.call('GET', '/api/watchlist'),
    unauthenticated: await sendRequest(`${every.service.url}/api/watchlist`, 'GET'),
    'wrong-method': await free.call('DELETE', '/api/watchlist'),
    v1: await send('POST', COUNT, countRequest),
    'refused-v1': await send('POST', COUNT, {}),
  };
  const isSent = (entry: string) => {
    const [, request = '', name = '', value] = /^(\S+) ([^=]+)(?:=(.*))?$/.exec(entry) ?? [];
    const sent = responses[request]?.headers.get(name);
    return typeof sent === 'string' && (value === undefined || sent === value);
  };
  const isDocumented = (entry: string) => {
    const [, response = '', name = ''] = /^(\S+ \S+ \d+) (\S+)$/.exec(entry) ?? [];
    return Object.hasOwn(openApi.getResponse(response)?.headers ?? {}, name);
  };
  assert.deepEqual(
    [...(await listMissing('response_headers', isSent)), ...(await listMissing('documented_headers', isDocumented))],
    [],
  );
});

test('stores the named properties when the web app sends an event', async () => {
  const figures = { tier: 'max', limit: 250, item_count: 1, locked_count: 0 };
  const sample = { text: 'x', number: 1, boolean: true, texts: ['AAPL'] };
  for (const event of new Set(Object.values(names['events'] as OwnedNames).flatMap(Object.keys))) {
    const own = Object.entries(findEventShape(event)?.properties ?? {}).map(([name, kind]) => [name, sample[kind]]);
    const properties = { feature: 'watchlist', ...figures, ...Object.fromEntries(own) };
    if (event === 'upgrade_cta_clicked') properties.source = Object.keys(upgradeSources)[0];
    const sent = { events: [{ event, properties, occurred_at: new Date().toISOString() }] };
    assert.equal((await send('POST', '/api/analytics/events', sent)).status, 202, event);
  }
  const isStored = (event: string, name: string) =>
    hasRow('select from public.analytics_events where event = $1 and properties ? $2', [event, name]);
  assert.deepEqual(await listMissingOwned('events', isStored), []);
  const shared = Object.keys(sharedProperties.watchlist);
  for (const event of Object.keys(eventContract).filter((name) => findEventShape(name)?.area === 'watchlist'))
    assert.deepEqual(shared, ['feature', 'tier', 'limit', 'item_count', 'locked_count'], event);
});

test('stores the named value when the property of an event is fixed', async () => {
  const capture = (event: string, properties: object) =>
    send('POST', '/api/analytics/events', { events: [{ event, properties }] });
  const isStored = async (entry: string) => {
    const [, event = '', name = '', value = ''] = /^(\w+)\.(\w+)=(.*)$/.exec(entry) ?? [];
    const source = Object.keys(upgradeSources)[0];
    await capture(event, { source, [name]: value });
    return hasRow('select from public.analytics_events where event = $1 and properties ->> $2 = $3', [
      event,
      name,
      value,
    ]);
  };
  assert.deepEqual(await listMissing('event_values', isStored), []);
  assert.equal((await capture('upgrade_cta_clicked', { source: 'elsewhere' })).status, 400);
});

test('labels each named entry source when revenue is reported', async () => {
  const isLabelled = (entry: string) => {
    const [source = '', entrySource = '', label] = entry.split(' -> ');
    return (
      (upgradeSources as Readonly<Record<string, string>>)[source] === entrySource &&
      getSourceLabel(entrySource) === label
    );
  };
  assert.deepEqual(await listMissing('entry_sources', isLabelled), []);
});

test('streams each named event when the assistant answers', async () => {
  const types = streamEvent.options.map(({ shape }) => shape.type.value as string);
  assert.deepEqual(await listMissing('stream_events', (name) => types.includes(name)), []);
});

test('reads each named setting when the service starts', async () => {
  const defaults = settings.parse({}) as Readonly<Record<string, unknown>>;
  const parseSetting = (name: string, value: string) => (settings.parse({ [name]: value }) as typeof defaults)[name];
  const isDefault = (entry: string) => {
    const [name = '', value = ''] = entry.split('=');
    if (!Object.hasOwn(settings.shape, name)) return false;
    // An empty value means the default, whatever that is, so an empty default is compared with empty values.
    if (value === '') return [undefined, '', []].some((empty) => isDeepStrictEqual(defaults[name], empty));
    return isDeepStrictEqual(defaults[name], parseSetting(name, value));
  };
  // The schema ignores unknown names, so an accepted value must also have an effect.
  const isAccepted = (entry: string) => {
    const [name = '', value = ''] = entry.split('=');
    return (
      settings.safeParse({ [name]: value }).success && !isDeepStrictEqual(defaults[name], parseSetting(name, value))
    );
  };
  const isRefused = (entry: string) => {
    const [name = '', value = ''] = entry.split('=');
    return Object.hasOwn(settings.shape, name) && !settings.safeParse({ [name]: value }).success;
  };
  assert.deepEqual(
    [
      ...(await listMissing('settings', (name) => Object.hasOwn(settings.shape, name))),
      ...(await listMissing('setting_defaults', isDefault)),
      ...(await listMissing('setting_values', isAccepted)),
      ...(await listMissing('refused_setting_values', isRefused)),
    ],
    [],
  );
});

/** Runs the program in an empty folder, whose settings name a database and a deployment that cannot be reached. */
async function runCommand(argv: readonly string[], input = ''): Promise<{ code: number; text: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'tally-names-'));
  const cwd = process.cwd();
  const env = process.env;
  let text = '';
  const add = (part: string): void => {
    text += part;
  };
  try {
    const closed = 'postgres://authenticator:x@127.0.0.1:1/x';
    const databases = { DB_URL: closed, DB_OWNER_URL: closed, DB_SERVICE_ROLE_KEY: 'x' };
    process.env = { PATH: env['PATH'], DATA_DIR: join(folder, 'data'), ...databases };
    process.chdir(folder);
    const deployment = `BASE_URL=http://127.0.0.1:1\nDEMO_ACCESS_OPERATOR_TOKEN=${'a1'.repeat(32)}\n`;
    for (const file of ['.env.demo-staging.local', 'FILE.env']) writeFileSync(file, deployment);
    writeFileSync('FILE', JSON.stringify(countRequest));
    const code = await runProgram(argv, {
      out: add,
      err: add,
      readInput: async () => Buffer.from(input),
      isTerminal: false,
      interrupted: new Promise(() => {}),
    });
    return { code, text };
  } finally {
    process.chdir(cwd);
    process.env = env;
    rmSync(folder, { recursive: true });
  }
}

const ARGUMENTS: Readonly<Record<string, string>> = {
  LABEL: 'Ada',
  NAME: 'Ada',
  ID: 'user_1',
  FLAG: 'dashboard-watchlist-v01',
  SYMBOL: 'AAPL',
  DAY: '2026-01-01',
};
/** Commands that keep running, or whose work begins with the settings. They are asked for their help alone. */
const HELP_ONLY = /^(start|worker)$/;

test('runs each named command when its arguments are complete', async () => {
  const isCommand = async (name: string) => {
    const words = name.split(' ');
    const help = await runCommand([words[0]!, '--help']);
    const options = words.filter((word) => word.startsWith('--'));
    if (help.code !== 0 || options.some((option) => !help.text.includes(option))) return false;
    if (HELP_ONLY.test(name)) return true;
    const file = words.includes('--env-file') ? 'FILE.env' : 'FILE';
    const argv = words.map((word) => (word === 'FILE' ? file : (ARGUMENTS[word] ?? word)));
    const { code } = await runCommand(argv, JSON.stringify(countRequest));
    return code !== 2;
  };
  const isRefused = async (name: string) => (await runCommand(name.split(' '))).code === 2;
  const isExact = async (entry: string) => {
    const [command = '', subcommands] = entry.split(': ');
    const { text } = await runCommand([command, '--help']);
    const shown = [...text.matchAll(new RegExp(`^tally ${command} (\\S+)`, 'gm'))].map(([, name]) => name);
    return shown.join(', ') === subcommands;
  };
  assert.deepEqual(
    [
      ...(await listMissing('commands', isCommand)),
      ...(await listMissing('exact_subcommands', isExact)),
      ...(await listMissing('absent_commands', isRefused)),
    ],
    [],
  );
});

test('ends with the named exit code when a command has this outcome', async () => {
  const outcomes: Readonly<Record<string, number>> = {
    done: (await runCommand(['count', 'FILE'])).code,
    refused: (await runCommand(['count', '-'], '{}')).code,
    usage: (await runCommand(['keys', 'create'])).code,
    retry: (await runCommand(['keys', 'list'])).code,
  };
  const isCode = (entry: string) => {
    const [code, outcome = ''] = entry.split(' ');
    return outcomes[outcome] === Number(code);
  };
  assert.deepEqual(await listMissing('exit_codes', isCode), []);
});

test('reads the named file when the operator manages links', async () => {
  const isRead = (name: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'tally-names-'));
    const cwd = process.cwd();
    try {
      process.chdir(folder);
      writeFileSync(name, `BASE_URL=https://tally.test\nDEMO_ACCESS_OPERATOR_TOKEN=${'a1'.repeat(32)}\n`);
      return loadOperatorSettings(undefined, {}).baseUrl === 'https://tally.test';
    } finally {
      process.chdir(cwd);
      rmSync(folder, { recursive: true });
    }
  };
  assert.deepEqual(await listMissing('operator_file', isRead), []);
});

test('writes each named field when the service starts for the first time', async () => {
  const isWritten = (name: string) => collectValues(every.service.firstRun, name.split('.')).length > 0;
  assert.deepEqual(await listMissing('first_run', isWritten), []);
  assert.deepEqual(every.service.firstRun.members.map(({ tier }) => tier).sort(), ['free', 'max', 'pro']);
});

test('takes and returns the named fields when a browser signs up and in at the embedded provider', async () => {
  const browser = new TestBrowser(every.service.url);
  const email = createEmail();
  const password = 'correct horse battery';
  const metadata = JSON.stringify({ ref: 'ABCDEFGHJKLM' });
  const signUp = { email_address: email, password, unsafe_metadata: metadata };
  const signedUp = await browser.call('POST', '/client/sign_ups', signUp);
  const { created_session_id: session, created_user_id: user } = signedUp.body.response;
  const token = await browser.call('POST', `/client/sessions/${session}/tokens`, {});
  const stored = await send('GET', `/_idp/v1/users/${user}`);
  const ended = await browser.call('POST', `/client/sessions/${session}/end`, {});
  const signedIn = await new TestBrowser(every.service.url).call('POST', '/client/sign_ins', {
    identifier: email,
    password,
  });
  const ticket = await send('POST', '/_idp/v1/sign_in_tokens', { user_id: user, expires_in_seconds: 60 });
  const byTicket = await new TestBrowser(every.service.url).call('POST', '/client/sign_ins', {
    strategy: 'ticket',
    ticket: ticket.body.token,
  });
  assert.equal(ended.status, 200);
  const isSession = ({ body }: typeof signedIn) => typeof body.response.created_session_id === 'string';
  const revoked = (await send('POST', `/_idp/v1/sign_in_tokens/${ticket.body.id}/revoke`)).body;
  const found: Readonly<Record<string, boolean>> = {
    'sign_in_tokens sign_in_token_cannot_be_revoked_code':
      revoked.errors?.[0].code === 'sign_in_token_cannot_be_revoked_code',
    'sign_ups email_address': stored.body.email_addresses[0].email_address === email,
    'sign_ups password': isSession(signedIn),
    'sign_ups unsafe_metadata': stored.body.unsafe_metadata !== undefined,
    'sign_ups unsafe_metadata.ref': stored.body.unsafe_metadata?.ref === 'ABCDEFGHJKLM',
    'sign_ups response.created_session_id': typeof session === 'string',
    'sign_ins identifier': isSession(signedIn),
    'sign_ins password': isSession(signedIn),
    'sign_ins strategy=ticket': isSession(byTicket),
    'sign_ins ticket': isSession(byTicket),
    'tokens jwt': typeof token.body.jwt === 'string',
  };
  assert.deepEqual(await listMissing('provider_fields', (name) => found[name] === true), []);
});

test('has the named option when the library counts', async () => {
  const { countTokens } = await import('../packages/token-counter/src/index.ts');
  const isOption = (name: string) => {
    const thinking = { type: 'thinking', thinking: 'A long thought of an earlier turn. '.repeat(9), signature: 'x' };
    const messages = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: [thinking, { type: 'text', text: 'Hello' }] },
      { role: 'user', content: 'Hello' },
    ];
    const request = { model: 'claude-opus-4-5', messages } as Parameters<typeof countTokens>[0];
    return countTokens(request, { [name]: true }).input_tokens > countTokens(request).input_tokens;
  };
  assert.deepEqual(await listMissing('library_options', isOption), []);
});

/** Returns whether a body of this size is read, and one byte more is refused. */
async function isLargestBody(bytes: number): Promise<boolean> {
  const headers = { ...withBearer(), 'svc-version': '2023-06-01', 'content-type': 'application/json' };
  // Spaces are read to the end and then refused as no JSON, so nothing is counted.
  const getStatus = async (size: number) =>
    (await sendRequest(`${every.service.url}${COUNT}`, 'POST', ' '.repeat(size), headers)).status;
  return (await getStatus(bytes)) === 400 && (await getStatus(bytes + 1)) === 413;
}

/** Returns whether fetched reports are reused until this age, and no longer. */
async function isEarningsCacheAge(hours: number): Promise<boolean> {
  const isReused = async (minutes: number) => {
    const [row] = await query<{ symbol: string }>(
      `insert into market.earnings_cache as c (symbol, reports, fetched_at)
       select max(symbol), '[]', now() - make_interval(mins => $1) from public.tracked_tickers_latest
        where asset_type = 'stock'
       on conflict (symbol) do update set fetched_at = excluded.fetched_at, sample = false
       returning symbol`,
      [minutes],
    );
    return (await listFetchedReports(every.service.database.database.service, [row!.symbol], false)).length > 0;
  };
  return (await isReused(hours * 60 - 1)) && !(await isReused(hours * 60 + 1));
}

/** Returns after how many milliseconds the market status is asked of the provider again. */
async function measureStatusInterval(): Promise<number> {
  const start = Date.parse('2026-10-07T15:00:00Z');
  let time = start;
  let calls = 0;
  const providers = {
    available: () => [{ id: 'test' }],
    call: async () => {
      calls += 1;
      return { ok: false };
    },
  } as unknown as Parameters<typeof createMarketStatus>[0]['providers'];
  const readStatus = createMarketStatus({ providers, now: () => new Date(time) });
  for (await readStatus(); calls < 2 && time < start + 3_600_000; await readStatus()) time += 1_000;
  return time - start;
}

/** Returns how many of 1,500 stored closes one read returns. */
async function countRowsOfHistory(): Promise<number> {
  const [ticker] = await query<{ id: number }>('select max(ticker_id) as id from public.tracked_tickers_latest');
  await query(
    `insert into public.tracked_tickers_historical (ticker_id, d, close)
     select $1, date '2001-01-01' + n, 1 from generate_series(1, 1500) n`,
    [ticker!.id],
  );
  const closes = await readDailyCloses(every.service.database.database.service, ticker!.id, '2001-01-01');
  await query(`delete from public.tracked_tickers_historical where ticker_id = $1 and d < '2010-01-01'`, [ticker!.id]);
  return closes.length;
}

/** Returns whether a request may name this many files by URL, and not one more. */
async function isMostFilesByUrl(count: number): Promise<boolean> {
  const fetchMedia = createFetchMedia({ enabled: true } as Parameters<typeof createFetchMedia>[0]);
  // No such address is ever fetched, so up to the limit the first file is named, and over it the one that exceeds it.
  const getProblem = async (files: number) => {
    const requested = Array.from({ length: files }, (_, index) => ({
      path: `file-${index}:`,
      kind: 'image' as const,
      url: 'ftp://x',
    }));
    return JSON.stringify(await fetchMedia(requested, 'organisation', new AbortController().signal));
  };
  return (await getProblem(count)).includes('file-0:') && (await getProblem(count + 1)).includes(`file-${count}:`);
}

const countDays = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;

test('has the named figure when a limit applies', async () => {
  const messages = openApi.find(openApi.getRequest(`POST ${COUNT}`), 'messages');
  assert.ok(messages.length > 0);
  const list = document.components.schemas['CountTokensRequest']!.properties!['messages']!;
  const label = openApi.find(openApi.getRequest('POST /api/internal/demo-access'), 'label');
  const question = openApi.find(openApi.getRequest('POST /api/assistant/messages'), 'text');
  const getLength = (schemas: typeof label, bound: 'minLength' | 'maxLength') =>
    schemas.map((schema) => schema[bound]).find((value) => value !== undefined);
  const plans = await query<{ tier: string; watchlist_limit: number }>(
    'select tier, watchlist_limit from public.plans',
  );
  const defaults = settings.parse({});
  const rates = defaults.TOKEN_COUNT_RATE_LIMITS as readonly number[];
  const invitation = (await send('POST', '/api/internal/demo-access', { label: 'Ada' })).body;
  const [link] = await query<{ hours: number }>(
    `select extract(epoch from expires_at - created_at)::float / 3600 as hours
       from public.demo_access_invitations where id = $1`,
    [invitation.id],
  );
  const [session] = await query<{ days: number }>(
    `select extract(epoch from expire_at - created_at)::float / 86400 as days from idp.sessions
      order by created_at desc limit 1`,
  );
  const watchlist = (await send('GET', '/api/watchlist')).body;
  const closes = watchlist.items.map((item: { closes: unknown[] | null }) => item.closes?.length ?? 0);
  const upcoming = getUpcomingRange('2026-01-01');
  const candles = getCandleYear(new Date());
  const refresh = marketSchedules.find(({ task }) => task === REFRESH);
  // The eighth day after a Friday has as many market days as the seventh.
  const chipDays = Array.from({ length: 30 }, (_, days) => days).filter(
    (days) => getEarningsChip('2026-10-09', addDays('2026-10-09', days)).chip !== null,
  );
  const checks: Readonly<Record<string, (figure: number) => Promise<boolean>>> = {
    'body megabytes': (figure) => isLargestBody(figure * 1024 * 1024),
    'earnings cache hours': isEarningsCacheAge,
    'files by URL': isMostFilesByUrl,
  };
  const figures: Readonly<Record<string, unknown>> = {
    messages: list.maxItems,
    'least messages': list.minItems,
    closes: Math.max(...closes),
    'referral link': (await free.call('GET', '/api/referrals/get-link')).body.referral_link.length,
    'demo link hours': Math.round(link!.hours * 1_000) / 1_000,
    'session days': Math.round(session!.days * 1_000) / 1_000,
    keys: (await free.call('GET', '/api/api-keys')).body.limit,
    'least label': getLength(label, 'minLength'),
    label: getLength(label, 'maxLength'),
    'least question': getLength(question, 'minLength'),
    question: getLength(question, 'maxLength'),
    'earnings days': countDays(upcoming.from, upcoming.to),
    'market status minutes': (await measureStatusInterval()) / 60_000,
    'price refresh minutes': Number(refresh?.match.match(/^\*\/(\d+) /)?.[1]),
    'backfill days': countDays(candles.from, candles.to),
    'history rows': await countRowsOfHistory(),
    'chip days': Math.max(...chipDays),
    'member requests': defaults.API_RATE_LIMIT,
    'referral identifier': defaults.REFERRAL_RATE_LIMITS?.perIdentifier,
    'referral address': defaults.REFERRAL_RATE_LIMITS?.perAddress,
    'demo access address': defaults.DEMO_ACCESS_RATE_LIMIT,
    ...Object.fromEntries(plans.map(({ tier, watchlist_limit: limit }) => [`watchlist ${tier}`, limit])),
    ...Object.fromEntries(rates.map((rate, index) => [`usage tier ${index + 1}`, rate])),
  };
  const isFigure = (entry: string) => {
    const [, name = '', figure] = /^(.*) (\d+)$/.exec(entry) ?? [];
    return checks[name]?.(Number(figure)) ?? figures[name] === Number(figure);
  };
  assert.deepEqual(await listMissing('limits', isFigure), [], JSON.stringify(figures));
});

test('serves the embedded services below the named addresses when they are used', async () => {
  const isPrefix = (prefix: string) => every.routes.some(({ url }) => url.startsWith(`${prefix}/`));
  assert.deepEqual(await listMissing('prefixes', isPrefix), []);
});

test('has the named form when a link, key or id is returned', async () => {
  const { id, link } = (await send('POST', '/api/internal/demo-access', { label: 'Ada' })).body;
  const values: Readonly<Record<string, string>> = {
    'demo link': new URL(link).href.slice(new URL(link).origin.length),
    'referral URL': (await free.call('GET', '/api/referrals/get-link')).body.url.replace(/^https?:\/\/[^/]+/, ''),
    'API key': every.service.firstRun.api_key,
    'request id': (await send('POST', COUNT, {})).body.request_id,
  };
  const isForm = (entry: string) => {
    const [, name = '', start = ''] = /^(.*) (\S+)$/.exec(entry) ?? [];
    return values[name]?.startsWith(start) === true;
  };
  assert.deepEqual(await listMissing('formats', isForm), []);
  const decoded = Buffer.from(new URL(link).hash.slice('#code='.length), 'base64url').toString();
  const [, ticket = ''] = decoded.split(/\.(.*)/s);
  assert.equal(decoded, `${id}.${ticket}`);
  assert.ok(ticket.length > 0);
  const listed = JSON.stringify((await send('GET', '/api/internal/demo-access')).body);
  const [stored] = await query<{ row: string }>(
    'select i::text as row from public.demo_access_invitations i where id = $1',
    [id],
  );
  assert.ok(listed.includes(id) && stored!.row.includes(id));
  for (const text of [listed, stored!.row])
    for (const form of [ticket, Buffer.from(ticket).toString('hex')]) assert.ok(!text.includes(form));
});

test('sends exactly the named fields when the watchlist is full', async () => {
  await query(`update public.plans set watchlist_limit = 1 where tier = 'free'`);
  await eventually(async () => (await free.call('GET', '/api/watchlist')).body.locked_count > 0);
  const { body: list } = await free.call('GET', '/api/watchlist');
  const locked = list.items.find((item: { locked: boolean }) => item.locked);
  const withheld = (names['absent_response_fields'] as OwnedNames)['decisions 3']!['GET /api/watchlist 200 locked']!;
  assert.deepEqual(
    withheld.filter((field) => field in locked),
    [],
  );
  const { status, body } = await free.call('POST', '/api/watchlist', { symbol: 'KO' });
  assert.deepEqual([status, body], [403, { code: 'WATCHLIST_LIMIT_REACHED', limit: 1, tier: 'free' }]);
  const adding = query('select public.add_watchlist_item($1, $2, null)', [free.idpId, 'KO']);
  const raised = (
    await adding.then(
      () => undefined,
      (error: Error) => error,
    )
  )?.message;
  assert.deepEqual(await listMissing('raised_errors', (name) => raised === name), []);
  const fields = Object.keys(body);
  const isSent = (error: string, name: string) => error.endsWith(` ${body.code}`) && fields.includes(name);
  assert.deepEqual(await listMissingOwned('exact_bodies', isSent), []);
});

test('hides the watchlist when the named flag is off', async () => {
  const reply = await unlisted.call('GET', '/api/nothing');
  await eventually(async () => (await unlisted.call('GET', '/api/watchlist')).status === 404);
  assert.deepEqual((await unlisted.call('GET', '/api/watchlist')).body, reply.body);
});

test('looks for the names of every kind when the file lists them', () => {
  assert.deepEqual(
    Object.keys(names).filter((kind) => !testedKinds.has(kind)),
    [],
  );
});
