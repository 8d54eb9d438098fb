import type { RouteOptions } from 'fastify';
import type { RouteLimit } from '../src/platform/http/app-type.ts';
import type { Rate } from '../src/platform/http/rate-limit.ts';
import { DAY_LIMIT } from '../src/platform/analytics/queries.ts';
import { TOKEN_LIMIT } from '../src/features/assistant/mcp/token-routes.ts';
import { KEPT_HEADERS } from '../src/features/portfolio/import/queries.ts';
import { IMPORTS_PER_DAY } from '../src/features/portfolio/import/routes.ts';
import { MEMBER_KEY_LIMIT } from '../src/features/token-api/create-api-key.ts';

/** A route that writes, with its limit and what it may store in a day at this limit. */
export interface WriteRoute {
  name: string;
  limit: RouteLimit | undefined;
  /** Holder of the secret whose calls need no limit. */
  holder: string | undefined;
  /** True if only the operator may call the route. */
  isOperators: boolean;
  storage: StoredBytes | undefined;
}

interface StoredBytes {
  bytes: number;
  /** What may store the bytes: each request, a member on a day, or all callers together on a day. */
  each: 'request' | 'member' | 'installation';
  why: string;
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const DAY_MS = 86_400_000;

/** Routes of holders of a secret that no member or visitor has. Their calls are the installation's own. */
const HOLDERS: readonly [RegExp, string][] = [
  [/^\/api\/webhooks\//, 'signature of the provider'],
  [/^\/_idp\/v1\/(users|invitations|sign_in_tokens|sessions\/:id\/revoke)/, '`IDP_SECRET_KEY`'],
  [/^\/_pay\/v1\//, 'key of the sandbox'],
  [/^\/_brokerage\/(?!portal\/:token)/, 'key of the sandbox'],
  [/^\/_bank\/(?!link\/:token)/, 'key of the sandbox'],
];

const nothing = (why: string): StoredBytes => ({ bytes: 0, each: 'installation', why });
/**
 * What a member replaces or has a maximum number of rows of. It bounds no route with a limit by address, since many
 * members may call from one address.
 */
const whole = (bytes: number, why: string): StoredBytes => ({ bytes, each: 'member', why });
/** What exists once, whoever calls. */
const once = (bytes: number, why: string): StoredBytes => ({ bytes, each: 'installation', why });
/** What is added by each request. */
const each = (bytes: number, why: string): StoredBytes => ({ bytes, each: 'request', why });

const CHECKOUT = each(
  10_000,
  'a change of the subscription with its event and, in the sandbox, objects of the provider',
);
const CONNECTION = each(3_000, 'an attempt, kept 30 days, and the rows of at most 30 connections');
const FLOW = each(1_000, 'a change of net worth, and a row of at most 50 accounts and 1,000 holdings');
/** Bytes of an import of 1,000 holdings, a third more than measured with rows that were replaced. */
const IMPORT_BYTES = 300_000;
const WATCHED = each(1_000, 'an event, and a row within the plan');
const credentialWithin = (limit: number) =>
  each(1_200, `at most ${limit} active ones at a time, and a row for each revoked one`);
const OPERATOR = each(1_200, 'rows for the audit');
const SESSION = each(
  5_000,
  'a session with its browser, kept 30 days after its end, and two events until they are delivered. Open challenges are deleted each hour',
);
const ENDED = whole(1_000_000, 'an event for each session, of which a user starts at most 250 a day');
const DELIVERED = 'The id of each delivered event is kept 30 days';
const USER = each(300, `the user is replaced, and so is its waiting event. ${DELIVERED}`);
const ADDRESS = whole(300_000, `20 links an hour, and the user is replaced. ${DELIVERED}`);
const CHALLENGES = whole(1_000_000, 'challenges of 5 attempts in ten seconds, deleted each hour');
const PAGE = each(
  6_000,
  'the state of the page is replaced, and its end adds a connection and webhooks until they are delivered',
);
const CODES = each(300, `the codes, the app and open challenges are replaced. ${DELIVERED}`);

/**
 * What each route stores, by method and path. A test finds the reads that write and requires them here. The bodies and rows are bounded by the contracts and the database. A text
 * counts with three bytes a character, the most that a UTF-16 unit takes.
 */
export const STORED: Readonly<Record<string, StoredBytes>> = {
  'DELETE /api/accounts/:id': FLOW,
  'DELETE /api/alerts/:id': each(300, 'an event'),
  'DELETE /api/api-keys/:id': nothing('the row stays'),
  'DELETE /api/assistant/conversations': nothing('rows are deleted'),
  'DELETE /api/assistant/conversations/:id': nothing('rows are deleted'),
  'DELETE /api/assistant/tokens/:id': nothing('the row stays'),
  'DELETE /api/connections/:id': CONNECTION,
  'DELETE /api/holdings/import-columns/:header_id': nothing('the row is deleted'),
  'DELETE /api/internal/demo-access/:id': OPERATOR,
  'DELETE /api/investments/holdings/:id': FLOW,
  'DELETE /api/operator/keys/:id': nothing('the row stays'),
  'DELETE /api/operator/members/:id': each(200, 'the hash of the deleted member'),
  'DELETE /api/operator/session': nothing('the row is deleted'),
  'DELETE /api/watchlist/:id': WATCHED,
  'PATCH /api/accounts/:id': FLOW,
  'PATCH /api/alerts/:id': nothing('the row is replaced'),
  'PATCH /api/investments/holdings/:id': FLOW,
  'PATCH /api/portfolio/settings': whole(100, 'the row is replaced'),
  'PATCH /api/watchlist/:id': WATCHED,
  'POST /api/accounts': FLOW,
  'POST /api/accounts/:id/keep-duplicate': FLOW,
  'POST /api/accounts/:id/merge': FLOW,
  'POST /api/alerts': each(1_200, 'an event, and a row within the plan with a note of 200 characters'),
  'POST /api/alerts/read': nothing('a mark on rows'),
  'POST /api/alerts/unsubscribe': nothing('the choice is replaced'),
  'POST /api/analytics/events': whole(
    DAY_LIMIT.bytes + DAY_LIMIT.events * 500,
    `at most ${DAY_LIMIT.events} events of a member's browsers with ${DAY_LIMIT.bytes} bytes of properties, counted in the database`,
  ),
  'POST /api/api-keys': credentialWithin(MEMBER_KEY_LIMIT),
  'POST /api/assistant/conversations/:id/stop': nothing('a mark on the answer'),
  'POST /api/assistant/messages': each(
    10_000,
    'a question of 2,000 characters. The answers of a day have a limit of tokens',
  ),
  'POST /api/assistant/sql': nothing('it only reads'),
  'POST /api/assistant/tokens': credentialWithin(TOKEN_LIMIT),
  'POST /api/billing/cancel': CHECKOUT,
  'POST /api/billing/change': CHECKOUT,
  'POST /api/billing/checkout': CHECKOUT,
  'POST /api/billing/portal': CHECKOUT,
  'POST /api/billing/preview': nothing('it only reads'),
  'POST /api/billing/resume': CHECKOUT,
  'POST /api/billing/sync': whole(5_000, 'the subscription is replaced'),
  'POST /api/connections/:id/refresh': CONNECTION,
  'POST /api/connections/finish': CONNECTION,
  'POST /api/connections/start': CONNECTION,
  'POST /api/demo-access/complete': each(500, 'a row for the audit'),
  'POST /api/holdings/import': whole(
    IMPORTS_PER_DAY * IMPORT_BYTES + KEPT_HEADERS * 4_000,
    `${IMPORTS_PER_DAY} imports a day, each with at most 1,000 changed holdings, their changes of net worth, and the replaced state for undo, and the columns of ${KEPT_HEADERS} headers`,
  ),
  'POST /api/holdings/import/:id/undo': whole(
    IMPORTS_PER_DAY * IMPORT_BYTES,
    'at most once for each import, with as many changes',
  ),
  'POST /api/internal/demo-access': each(1_500, 'a link with its label, and rows for the audit'),
  'POST /api/investments/holdings': FLOW,
  'POST /api/operator/jobs/:id/retry': nothing('the job stays'),
  'POST /api/operator/session': each(200, 'a session of 12 hours'),
  'POST /api/referrals/mark-completed': each(300, 'a row for the audit'),
  'POST /api/referrals/track-signup': each(500, 'a referral of a new member, and a row for the audit'),
  'POST /api/sample-portfolio': each(1_000, 'a ticket, kept 30 days'),
  'POST /api/watchlist': WATCHED,
  'POST /api/watchlist/import': each(1_000, 'an event, and rows within the plan'),
  'PUT /api/analytics/choice': whole(100, 'the row is replaced'),
  'PUT /api/alerts/mail': whole(200, 'the choice is replaced'),
  'PUT /api/dashboard': whole(4_000, 'the row is replaced'),
  'PUT /api/operator/flags/:flag': once(200, 'the row is replaced'),
  'PUT /api/operator/flags/:flag/member': each(200, 'a row of a member'),
  'PUT /api/watchlist/order': each(1_000, 'an event. The positions are replaced'),
  'POST /mcp': nothing('its tools only read. The time of the last use is replaced'),
  'POST /mcp/': nothing('the same'),
  'POST /v1/messages/count_tokens': nothing('no part of a request is stored. The time of the last use is replaced'),
  'GET /api/internal/demo-access': OPERATOR,
  'GET /api/internal/demo-access/candidates': OPERATOR,
  'GET /api/news': whole(
    6_000 * 50_000,
    'at most 50 articles for each list of companies, kept a day. The list changes with the writes of a day',
  ),
  'GET /api/referrals/get-link': whole(300, 'one link, created on the first request'),
  'GET /api/securities/:symbol': nothing('a listing that the catalog lacks is added to it once for all members'),
  'DELETE /_idp/v1/client/sessions': ENDED,
  'POST /_idp/v1/client/sessions': ENDED,
  'POST /_idp/v1/client/sessions/:id/end': ENDED,
  'POST /_idp/v1/client/sessions/:id/remove': ENDED,
  'POST /_idp/v1/client/sessions/:id/tokens': nothing('the token is not stored. The time of the activity is replaced'),
  'POST /_idp/v1/client/sessions/:id/touch': nothing('the time of the activity is replaced'),
  'POST /_idp/v1/client/sessions/:id/verify': nothing('it only reads'),
  'POST /_idp/v1/client/sessions/:id/verify/attempt_first_factor': nothing('the time of the proof is replaced'),
  'POST /_idp/v1/client/sessions/:id/verify/attempt_second_factor': nothing('the time of the proof is replaced'),
  'POST /_idp/v1/client/sessions/:id/verify/prepare_first_factor': CHALLENGES,
  'POST /_idp/v1/client/sign_ins': SESSION,
  'POST /_idp/v1/client/sign_ins/:id/attempt_first_factor': SESSION,
  'POST /_idp/v1/client/sign_ins/:id/attempt_second_factor': SESSION,
  'POST /_idp/v1/client/sign_ins/:id/reset_password': SESSION,
  'POST /_idp/v1/client/sign_ups': each(
    30_000,
    'a user with 8 KB of metadata, its session, and their events until they are delivered',
  ),
  'POST /_idp/v1/verify': USER,
  'POST /_idp/v1/stop_email_change': USER,
  'DELETE /_idp/v1/me': whole(500, 'an event with the id'),
  'PATCH /_idp/v1/me': USER,
  'POST /_idp/v1/me': USER,
  'PATCH /_idp/v1/me/metadata': USER,
  'POST /_idp/v1/me/metadata': USER,
  'POST /_idp/v1/me/change_password': USER,
  'POST /_idp/v1/me/email_addresses': ADDRESS,
  'DELETE /_idp/v1/me/email_addresses/:id': ADDRESS,
  'POST /_idp/v1/me/email_addresses/:id': ADDRESS,
  'POST /_idp/v1/me/email_addresses/:id/prepare_verification': whole(200_000, '20 links an hour'),
  'POST /_idp/v1/me/passkeys': CHALLENGES,
  'POST /_idp/v1/me/passkeys/:id/attempt_verification': whole(20_000, 'a bounded number of passkeys'),
  'PATCH /_idp/v1/me/passkeys/:id': whole(200, 'the name is replaced'),
  'DELETE /_idp/v1/me/passkeys/:id': nothing('the row is deleted'),
  'POST /_idp/v1/me/passkeys/:id': whole(200, 'the name is replaced, or the row is deleted'),
  'POST /_idp/v1/me/sessions/:id/revoke': ENDED,
  'DELETE /_idp/v1/me/totp': CODES,
  'POST /_idp/v1/me/totp': CODES,
  'POST /_idp/v1/me/totp/attempt_verification': CODES,
  'POST /_idp/v1/me/backup_codes': CODES,
  'POST /_idp/v1/me/backup_codes/': CODES,
  'GET /_bank/link/:token': nothing('the state of the page is replaced'),
  'POST /_bank/link/:token': PAGE,
  'GET /_brokerage/portal/:token': nothing('the state of the page is replaced'),
  'POST /_brokerage/portal/:token': PAGE,
  'POST /_pay/checkout/:token': each(10_000, 'objects and events of the sandbox'),
  'POST /_pay/invoice/:token': each(10_000, 'objects and events of the sandbox'),
  'POST /_pay/portal/:token': each(10_000, 'objects and events of the sandbox'),
};

/** Routes whose figures a test measures. The others are estimated from the limits of their rows. */
export const MEASURED: ReadonlySet<string> = new Set([
  'DELETE /_idp/v1/client/sessions',
  'DELETE /api/alerts/:id',
  'DELETE /api/internal/demo-access/:id',
  'DELETE /api/watchlist/:id',
  'PATCH /_idp/v1/me',
  'PATCH /_idp/v1/me/metadata',
  'PATCH /api/portfolio/settings',
  'POST /_idp/v1/me/totp',
  'POST /api/accounts',
  'POST /api/alerts',
  'POST /api/analytics/events',
  'POST /api/api-keys',
  'POST /api/assistant/tokens',
  'POST /api/billing/checkout',
  'POST /api/billing/portal',
  'POST /api/connections/start',
  'POST /api/holdings/import',
  'POST /api/internal/demo-access',
  'POST /api/investments/holdings',
  'POST /api/operator/session',
  'POST /api/sample-portfolio',
  'POST /api/watchlist',
  'PUT /api/analytics/choice',
  'PUT /api/dashboard',
]);

/** Returns the holder of a secret who alone may call the path. */
export const findHolder = (url: string): string | undefined => HOLDERS.find(([pattern]) => pattern.test(url))?.[1];

/** Returns every route that writes, sorted by path. */
export function listWriteRoutes(routes: readonly RouteOptions[]): WriteRoute[] {
  const byName = new Map(
    routes.flatMap(({ method, url, config }) =>
      [method]
        .flat()
        .map((verb) => ({ verb, name: `${verb} ${url}` }))
        .filter(({ verb, name }) => !READS.has(verb) || Object.hasOwn(STORED, name))
        .map(({ verb, name }): [string, WriteRoute] => {
          const limit = config?.guard?.limit ?? config?.limit;
          const write = {
            name,
            limit: limit && READS.has(verb) ? withoutDayOfWrites(limit) : limit,
            holder: findHolder(url),
            isOperators: config?.guard?.description.startsWith('operator') ?? false,
            storage: STORED[name],
          };
          return [name, write];
        }),
    ),
  );
  const toPath = ({ name }: WriteRoute): string => name.replace(/^(\w+) (.*)$/, '$2 $1');
  return [...byName.values()].sort((a, b) => (toPath(a) < toPath(b) ? -1 : 1));
}

/** Removes the limit of a member's writes in a day, which does not count reads. */
const withoutDayOfWrites = ({ per, rates }: RouteLimit): RouteLimit => ({
  per,
  rates: per === 'member' ? rates.filter((rate) => rate?.windowMs !== DAY_MS) : rates,
});

const getRequestsPerDay = ({ limit, windowMs }: Rate): number => limit * Math.max(1, DAY_MS / windowMs);

/** Returns the rate that allows the fewest requests in a day. */
const findTightestRate = (limit: RouteLimit | undefined): Rate | undefined =>
  limit?.rates.filter((rate) => rate !== undefined).toSorted((a, b) => getRequestsPerDay(a) - getRequestsPerDay(b))[0];

/** Returns the most bytes that a caller may store in a day, or undefined if it is unbounded. */
export function getBytesPerDay({ limit, storage }: WriteRoute): number | undefined {
  if (!storage) return undefined;
  if (storage.each === 'installation') return storage.bytes;
  if (storage.each === 'member') return limit?.per === 'address' ? undefined : storage.bytes;
  const rate = findTightestRate(limit);
  return rate && storage.bytes * getRequestsPerDay(rate);
}

/**
 * Returns the most bytes that one caller may store in a day on all routes that count by `per`, without those of the
 * operator. Routes that share a limit share its requests, so the one that stores most counts. A bound that several
 * routes name counts once.
 */
export function sumBytesPerDay(writes: readonly WriteRoute[], per: RouteLimit['per']): number {
  const bounds = new Map<StoredBytes | Rate, number>();
  for (const write of writes) {
    const { limit, storage, holder, isOperators } = write;
    if (limit?.per !== per || !storage || holder !== undefined || isOperators) continue;
    const bound = storage.each === 'request' ? findTightestRate(limit) : storage;
    if (bound) bounds.set(bound, Math.max(bounds.get(bound) ?? 0, getBytesPerDay(write) ?? 0));
  }
  return [...bounds.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** Returns the names of routes that lack a limit or a bound on what they store, and of entries without a route. */
export function findUnboundedWrites(writes: readonly WriteRoute[]): string[] {
  const unbounded = writes.filter(
    (write) =>
      write.holder === undefined &&
      (!write.limit?.rates.some((rate) => rate !== undefined) || getBytesPerDay(write) === undefined),
  );
  const names = new Set(writes.map(({ name }) => name));
  return [...unbounded.map(({ name }) => name), ...Object.keys(STORED).filter((name) => !names.has(name))];
}

const UNITS: Readonly<Record<number, string>> = {
  10_000: 'ten seconds',
  60_000: 'a minute',
  3_600_000: 'an hour',
  [DAY_MS]: 'a day',
};

const describeRate = ({ limit, windowMs }: Rate): string =>
  `${limit.toLocaleString('en')} in ${UNITS[windowMs] ?? `${windowMs} ms`}`;

function describeLimit({ per, rates }: RouteLimit): string {
  const known = rates.filter((rate) => rate !== undefined).map(describeRate);
  // An organization has one of the rates, by its usage tier.
  return per === 'organization' ? `${known.join(' or ')} of one organization` : `${known.join(', ')} of one ${per}`;
}

const toMegabytes = (bytes: number): string => (bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1 });

/** Returns the text of docs/reference/write-limits.md. */
export function describeWrites(routes: readonly RouteOptions[]): string {
  const writes = listWriteRoutes(routes);
  const unbounded = findUnboundedWrites(writes);
  if (unbounded.length > 0)
    throw new Error(`Give these routes a limit and an entry in tools/describe-writes.ts: ${unbounded.join(', ')}.`);
  const rows = writes.map((write) => {
    const { name, limit, holder, storage } = write;
    if (holder !== undefined) return `| \`${name}\` | ${holder} |  |  |`;
    const about = storage!.bytes > 0 && !MEASURED.has(name) ? 'about ' : '';
    const megabytes = toMegabytes(getBytesPerDay(write)!);
    return `| \`${name}\` | ${describeLimit(limit!)} | ${about}${megabytes} MB | ${storage!.why} |`;
  });
  const ofMember = sumBytesPerDay(writes, 'member');
  const ofAddress = sumBytesPerDay(writes, 'address');
  return [
    '<!-- Generated by `npm run generate` from the routes of the service. -->',
    '# Limits of writes',
    '',
    'For operators: each route that writes, its limit with the default settings, and the most that one member or address may store in a day at this limit. ' +
      'Texts count with as many bytes as their longest characters take. ' +
      'Tests measure the figures without *about*, some with indexes and replaced rows that are not yet cleaned up. The others are estimates. ' +
      'Routes that require a secret of the installation name it instead.',
    '',
    `On all routes together one member stores at most ${toMegabytes(ofMember)} MB a day, and one address at most ${toMegabytes(ofAddress)} MB on the routes that count by address. ` +
      'Routes that share a limit count once there, with the one that stores most, and the routes of the operator do not count.',
    '',
    '| route | limit | stored in a day | because |',
    '|---|---|---|---|',
    ...rows,
    '',
    'Webhooks wait in an outbox until they are delivered. Those of the identity provider and events for analytics are sent in turns of the members. ' +
      'Those of the sandboxes are sent in the order in which they are due: sandboxes serve trials, and the service also finds their changes by itself.',
    '',
    'Next: [data and retention](data-and-retention.md), [settings](settings.md).',
    '',
  ].join('\n');
}
