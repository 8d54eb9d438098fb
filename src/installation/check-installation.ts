import { AppError } from '../errors.ts';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Config } from '../config/load-config.ts';
import {
  type getConnectionKeys,
  getEcbSettings,
  getMailSettings,
  getMarketProviders,
  getStripeSettings,
  type MarketUrls,
} from '../config/provider-settings.ts';
import { canDecryptStoredSecrets } from '../features/connections/check-key.ts';
import { MAX_CLOCK_OFFSET_SECONDS } from './check-dependencies.ts';
import { tryKey } from '../market-data/providers/try-key.ts';
import { readClockOffset } from '../platform/database/clock.ts';
import { isConnectionLoss } from '../platform/database/connection-loss.ts';
import { readLastBackup } from '../platform/database/last-backup.ts';
import { listAppliedMigrations, listPendingMigrations } from '../platform/database/migrate.ts';
import type { ServiceSql } from '../platform/database/roles.ts';
import { findTlsRequirement } from '../platform/database/tls-errors.ts';
import { inspectRedis } from '../platform/http/check-redis.ts';
import { withTimeout } from '../platform/http/with-timeout.ts';
import { createProviderClient } from '../platform/identity/provider-client.ts';
import { countWorkers, readQueueStats } from '../platform/jobs/queries.ts';
import { verifyMailServer } from '../platform/mail/smtp-mailer.ts';

/** `unavailable`: a dependency does not respond now. `wrong`: it stays so until an operator changes something. */
type CheckState = 'ok' | 'warning' | 'wrong' | 'unavailable';

/** Result of a check. The message of another state than `ok` tells what to do. */
export interface Finding {
  name: string;
  state: CheckState;
  message: string;
}

type Result = Omit<Finding, 'name'>;

export interface Check {
  name: string;
  run(): Promise<Result>;
}

const ok = (message: string): Result => ({ state: 'ok', message });
const warning = (message: string): Result => ({ state: 'warning', message });
const wrong = (message: string): Result => ({ state: 'wrong', message });
const unavailable = (message: string): Result => ({ state: 'unavailable', message });

const CHECK_TIMEOUT_MS = 15_000;

/** Runs all checks at once. A check that fails or takes longer than 15 seconds is a finding and stops no other. */
export const runChecks = (checks: readonly Check[], timeoutMs = CHECK_TIMEOUT_MS): Promise<Finding[]> =>
  Promise.all(
    checks.map(async ({ name, run }) => ({
      name,
      ...(await withTimeout(timeoutMs, run().catch(explainFailure), () =>
        unavailable(`There was no result within ${timeoutMs / 1_000} seconds: try again later.`),
      )),
    })),
  );

const UNDEFINED_TABLE = '42P01';
const LOGIN_REFUSED = /^28(000|P01)$/;

/**
 * Returns the finding of a check that needs a connection which the database refuses for its login or its TLS, or
 * undefined for another error.
 */
export function explainRefusedConnection(error: unknown): Result | undefined {
  const refusal = ((error as Error).cause ?? error) as Error & { code?: string };
  return LOGIN_REFUSED.test(refusal.code ?? '') || findTlsRequirement(refusal, 'DB_SSLROOTCERT') !== undefined
    ? wrong('Not checked, since the database refuses a connection: correct what the checks of the logins name.')
    : undefined;
}

function explainFailure(error: unknown): Result {
  const refused = explainRefusedConnection(error);
  if (refused !== undefined) return refused;
  const { message, cause, code, setting = 'DB_URL' } = error as Error & { code?: string; setting?: string };
  if (code === UNDEFINED_TABLE) return wrong('Not checked, since the database lacks migrations: run "tally migrate".');
  const reason = cause instanceof Error ? cause.message : message;
  const isUnavailable = error instanceof AppError && error.code === 'UNAVAILABLE';
  return isUnavailable || isConnectionLoss(error)
    ? unavailable(`The database cannot be reached (${reason}): try again later, or check ${setting}.`)
    : wrong(`The check failed: ${message.replace(/\.$/, '')}.`);
}

type ConnectionKeys = ReturnType<typeof getConnectionKeys>;

/** Returns the checks of a database that can be reached: migrations, clock, keys, queue, worker, backup. */
export const listDatabaseChecks = (sql: ServiceSql, keys: ConnectionKeys): readonly Check[] => [
  { name: 'migrations', run: () => checkMigrations(sql) },
  { name: 'clock', run: () => checkClock(sql) },
  { name: 'connections key', run: () => checkConnectionsKey(sql, keys) },
  { name: 'jobs', run: () => checkJobs(sql) },
  { name: 'worker', run: () => checkWorker(sql) },
  { name: 'backup', run: () => checkBackup(sql) },
];

/** Returns the checks of everything outside the database. */
export const listServiceChecks = (config: Config, urls: MarketUrls = {}): readonly Check[] => [
  { name: 'disk', run: () => checkDisk(config) },
  { name: 'Redis', run: () => checkRedis(config) },
  { name: 'identity provider', run: () => checkIdentityProvider(config) },
  ...listMarketDataChecks(config, urls),
  { name: 'exchange rates', run: () => checkExchangeRates(config) },
  { name: 'payments', run: () => checkPayments(config) },
  { name: 'mail', run: () => checkMail(config) },
];

async function checkMigrations(sql: ServiceSql): Promise<Result> {
  const [first, ...others] = await listPendingMigrations(sql);
  if (first === undefined) return ok(`All ${(await listAppliedMigrations(sql)).length} migrations are applied.`);
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return wrong(`The database lacks ${first}${more}: run "tally migrate".`);
}

async function checkClock(sql: ServiceSql): Promise<Result> {
  const offset = await readClockOffset(sql);
  const text = `This clock differs by ${Math.abs(offset).toFixed(1)} s from the database's`;
  return Math.abs(offset) > MAX_CLOCK_OFFSET_SECONDS
    ? wrong(`${text}, so sign-ins are rejected: synchronize both clocks.`)
    : ok(`${text}.`);
}

async function checkConnectionsKey(sql: ServiceSql, keys: ConnectionKeys): Promise<Result> {
  const isRight = await canDecryptStoredSecrets(sql, keys);
  if (keys?.isPreviousLost)
    return warning(
      isRight
        ? 'CONNECTIONS_KEY_PREVIOUS is "lost", and nothing is left that needs it: remove it.'
        : 'CONNECTIONS_KEY_PREVIOUS is "lost": start the service, which deletes what nothing decrypts, then remove it.',
    );
  if (isRight)
    return ok(
      keys ? 'The key fits the stored connections.' : 'CONNECTIONS_KEY is not set, so nobody can connect accounts.',
    );
  return wrong(
    'The setting CONNECTIONS_KEY must be the key that encrypted the stored connections: set it back, or set a new one ' +
      'with CONNECTIONS_KEY_PREVIOUS=lost for one start, after which members must connect again.',
  );
}

async function checkJobs(sql: ServiceSql): Promise<Result> {
  const { overdue, oldest, failed } = await readQueueStats(sql);
  if (failed > 0) return warning(`${failed} failed at the last attempt: see "tally jobs list", then retry them.`);
  return oldest > MAX_JOB_DELAY_SECONDS
    ? warning(`${overdue} are overdue, the oldest for ${Math.round(oldest)} s: see "tally jobs list".`)
    : ok('None has failed or is overdue.');
}

const MAX_JOB_DELAY_SECONDS = 300;

async function checkWorker(sql: ServiceSql): Promise<Result> {
  const [workers, { oldest }] = await Promise.all([countWorkers(sql), readQueueStats(sql)]);
  if (workers > 0) return ok(`${workers} ${workers === 1 ? 'worker is' : 'workers are'} connected.`);
  const remedy = 'start the service with WORKER=on, or run "tally worker".';
  return oldest > MAX_JOB_DELAY_SECONDS
    ? wrong(`No worker is connected, and jobs wait: ${remedy}`)
    : warning(`No worker is connected: ${remedy}`);
}

const MAX_BACKUP_AGE_HOURS = 48;

async function checkBackup(sql: ServiceSql): Promise<Result> {
  const [citus] = await sql.query(`select from pg_extension where extname = 'citus'`);
  if (citus) return ok('The servers of a Citus cluster are backed up by their own tools, which are not checked here.');
  const last = await readLastBackup(sql);
  const remedy = 'run "tally backup FOLDER --schedule daily", or ignore this if the server is backed up otherwise.';
  if (!last) return warning(`There is no backup yet: ${remedy}`);
  const hours = (Date.now() - last.succeeded_at.getTime()) / 3_600_000;
  const text = `The last backup is of ${last.succeeded_at.toISOString()}`;
  return hours > MAX_BACKUP_AGE_HOURS ? warning(`${text}: ${remedy}`) : ok(`${text}.`);
}

const LOW_DISK_BYTES = 1e9;
const FULL_DISK_BYTES = 1e8;

async function checkDisk({ DB_URL: url, DATA_DIR: folder }: Config): Promise<Result> {
  if (url !== undefined) return ok('The database has its own server, whose disk is not checked here.');
  if (!existsSync(folder)) return ok('DATA_DIR does not exist yet.');
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const text = `${(free / 1e9).toFixed(1)} GB are free in DATA_DIR`;
  if (free < FULL_DISK_BYTES) return wrong(`${text}: free space, or writes fail.`);
  return free < LOW_DISK_BYTES ? warning(`${text}: free space soon.`) : ok(`${text}.`);
}

async function checkRedis({ REDIS_URL: url, REDIS_CA_FILE: caFile }: Config): Promise<Result> {
  if (url === undefined) return ok('REDIS_URL is not set, so each process counts limits for itself.');
  const { requirement, unavailableReason } = await inspectRedis(url, caFile);
  if (requirement !== undefined) return wrong(`The setting REDIS_URL must ${requirement}.`);
  return unavailableReason === undefined
    ? ok('Redis replies.')
    : unavailable(`Redis does not reply (${unavailableReason}): check it and REDIS_URL.`);
}

async function checkIdentityProvider(config: Config): Promise<Result> {
  const { IDP_API_URL: apiUrl, IDP_FRONTEND_API_URL: frontendApiUrl, IDP_SECRET_KEY: secretKey } = config;
  if (apiUrl === undefined) return ok('Embedded.');
  if (frontendApiUrl === undefined || secretKey === undefined) return wrong('Its settings are incomplete; see above.');
  const keys = await ping(`${frontendApiUrl}/.well-known/jwks.json`);
  if (keys.status !== 200) return unavailable(`IDP_FRONTEND_API_URL ${describeReply(keys)}: check it.`);
  const client = createProviderClient({ apiUrl: apiUrl.replace(/\/v1$/, ''), secretKey });
  const user = await client.getUser('user_0');
  if (!user.ok && user.reason === 'unconfirmed')
    return user.status === 401 || user.status === 403
      ? wrong(`The setting IDP_SECRET_KEY must be a key that the provider accepts (${user.detail}).`)
      : unavailable(`IDP_API_URL does not answer (${user.detail}): check it.`);
  return config.IDP_WEBHOOK_SECRET === undefined
    ? warning('It answers, but IDP_WEBHOOK_SECRET is not set: new addresses and deleted members are not noticed.')
    : ok('It answers and accepts the key.');
}

/** Returns a check of each provider's key, which costs one call. */
function listMarketDataChecks(config: Config, urls: MarketUrls): readonly Check[] {
  const { fmp, finnhub } = getMarketProviders(config, urls);
  if (!fmp && !finnhub)
    return [{ name: 'market data', run: async () => ok('Sample data, since no provider has a key.') }];
  return [
    ...(fmp ? [{ name: 'market data FMP', run: () => checkMarketKey('fmp', 'FMP', fmp) }] : []),
    ...(finnhub ? [{ name: 'market data Finnhub', run: () => checkMarketKey('finnhub', 'Finnhub', finnhub) }] : []),
  ];
}

async function checkMarketKey(
  id: 'fmp' | 'finnhub',
  name: string,
  access: Parameters<typeof tryKey>[1],
): Promise<Result> {
  const result = await tryKey(id, access);
  switch (result.outcome) {
    case 'accepted':
      return ok(`${name} answers and accepts the key.`);
    case 'refused':
      return wrong(`The setting ${name.toUpperCase()}_API_KEY must be a key that ${name} accepts (${result.answer}).`);
    case 'limited':
      return warning(
        `${name} accepts no more calls of the key now (${result.answer}): see ${name.toUpperCase()}_CALLS_PER_MINUTE.`,
      );
    case 'unavailable':
      return unavailable(`${name} does not answer (${result.answer}): try later.`);
  }
}

async function checkExchangeRates(config: Config): Promise<Result> {
  if (!getEcbSettings(config)) return ok('Sample rates.');
  const reply = await ping('https://www.ecb.europa.eu');
  return reply.status !== undefined && reply.status < 500
    ? ok('The European Central Bank can be reached.')
    : unavailable(`The European Central Bank ${describeReply(reply)}: try later.`);
}

async function checkPayments(config: Config): Promise<Result> {
  if (!getStripeSettings(config)) return ok('STRIPE_SECRET_KEY is not set, so Stripe is not used.');
  const reply = await ping('https://api.stripe.com/v1/prices?limit=1', {
    authorization: `Bearer ${config.STRIPE_SECRET_KEY}`,
  });
  if (reply.status === 401) return wrong('The setting STRIPE_SECRET_KEY must be a key that Stripe accepts.');
  return reply.status !== undefined && reply.status < 500
    ? ok('Stripe answers and accepts the key.')
    : unavailable(`Stripe ${describeReply(reply)}: try later.`);
}

async function checkMail(config: Config): Promise<Result> {
  const mail = getMailSettings(config);
  if (!mail) return ok('SMTP_URL is not set, so no mail is sent.');
  try {
    await verifyMailServer(mail);
    return ok('The mail server answers and accepts the sign-in.');
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    return code === 'EAUTH'
      ? wrong(`The setting SMTP_URL must have the user and password that the mail server accepts (${message}).`)
      : unavailable(`The mail server does not answer (${message}): check it and SMTP_URL.`);
  }
}

const PING_TIMEOUT_MS = 5_000;

interface Reply {
  status?: number;
  failure?: string;
}

/** Sends one GET request and returns its status, or why there was no response. */
async function ping(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(PING_TIMEOUT_MS) });
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    const { cause, message } = error as Error;
    return { failure: cause instanceof Error ? cause.message : message };
  }
}

const describeReply = ({ status, failure }: Reply): string =>
  status === undefined ? `cannot be reached (${failure})` : `answers with status ${status}`;
