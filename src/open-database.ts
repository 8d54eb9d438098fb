import type { Logger } from 'pino';
import { type Config, ConfigError } from './config/load-config.ts';
import { checkLogins, checkOwner } from './platform/database/check-logins.ts';
import { isTransactionPooled, supportsPreparedStatements } from './platform/database/check-pooler.ts';
import { checkReplica } from './platform/database/check-replica.ts';
import { findMissingLogSettings } from './platform/database/check-statement-log.ts';
import { connectDatabase, type ConnectOptions, type Database, type DatabaseUrls } from './platform/database/connect.ts';
import { distribute, isDistributed, NotDistributable } from './platform/database/distribute.ts';
import { NoDatabase, startEmbedded, withEmbedded } from './platform/database/embedded.ts';
import { migrate, type MigrateReport } from './platform/database/migrate.ts';
import { ASSISTANT_LOGIN, buildServiceUrl } from './platform/database/service-url.ts';
import { migrateJobs } from './platform/jobs/migrate-jobs.ts';
import {
  type LocalSecrets,
  loadOrCreateLocalSecrets,
  loadOrCreateSharedSecrets,
  getLoginPasswords,
  readLocalSecrets,
  type ServiceSecrets,
} from './local-secrets.ts';

interface OpenOptions {
  /** Uses the embedded server that another process runs, and makes none where there is no database. */
  attach?: boolean;
  /** Whether this process will do jobs, for which a session is needed. */
  runsJobs?: boolean;
  /** Takes the secrets of the data directory beside DB_URL too. */
  usesLocalSecrets?: boolean;
  /** Milliseconds after which a statement of a request is given up (default 15,000). */
  requestTimeoutMs?: number | undefined;
}

interface OpenDatabase {
  database: Database;
  secrets: ServiceSecrets;
  /** The file's, where the secrets are those of the data directory. */
  localSecrets: LocalSecrets | undefined;
  /** Settles only when the embedded server has ended by itself. */
  failed: Promise<Error>;
}

/**
 * Starts or finds the database, brings it up to date where its owner's login is at hand, and connects; `stack` closes
 * it. Throws `ConfigError` for a setting under which the service would not work.
 */
export async function openDatabase(
  config: Config,
  logger: Logger,
  stack: AsyncDisposableStack,
  options: OpenOptions = {},
): Promise<OpenDatabase> {
  return config.DB_URL === undefined
    ? openEmbedded(config, logger, stack, options)
    : openExternal(config, logger, stack, options);
}

/** Connects to the database that DB_URL names. */
async function openExternal(
  config: Config,
  logger: Logger,
  stack: AsyncDisposableStack,
  options: OpenOptions,
): Promise<OpenDatabase> {
  const { urls, prepare, prepareOnReplica } = await prepareExternal(config, logger, options);
  const distributed = await isDistributed(urls.service);
  if (distributed && urls.assistant !== undefined) throwIfInvalid(CITUS_HAS_NO_COST_ESTIMATE);
  const database = connectWithConfig(urls, config, logger, {
    prepare,
    prepareOnReplica,
    distributed,
    requestTimeoutMs: options.requestTimeoutMs,
  });
  stack.defer(() => database.close());
  const localSecrets = options.usesLocalSecrets ? loadOrCreateLocalSecrets(config.DATA_DIR) : undefined;
  const secrets = localSecrets ?? (await loadOrCreateSharedSecrets(config.DATA_DIR, database.service));
  // A server of somebody else's that ends is no reason to stop: the pool connects again.
  const { promise: failed } = Promise.withResolvers<Error>();
  return { database, secrets, localSecrets, failed };
}

/** Starts the embedded server, or joins the one that another process runs, and connects to it. */
async function openEmbedded(
  config: Config,
  logger: Logger,
  stack: AsyncDisposableStack,
  options: OpenOptions,
): Promise<OpenDatabase> {
  const { promise: failed, resolve: reportFailure } = Promise.withResolvers<Error>();
  if (options.attach && readLocalSecrets(config.DATA_DIR) === undefined) throw new NoDatabase(config.DATA_DIR);
  const localSecrets = loadOrCreateLocalSecrets(config.DATA_DIR);
  const server = await startEmbedded({
    dataDir: config.DATA_DIR,
    secrets: getLoginPasswords(localSecrets),
    onExit: reportFailure,
    onRestart: (err) => logger.error({ err }, 'the embedded database was started again'),
    attach: options.attach ?? false,
    create: !options.attach,
  });
  stack.defer(() => server.stop());
  if (!server.attached)
    await migrate(server.ownerUrl, {
      logins: server.urls,
      afterMigrations: migrateJobs,
      ...createMigrateReport(logger),
    });
  const database = connectWithConfig(server.urls, config, logger, {
    prepare: true,
    requestTimeoutMs: options.requestTimeoutMs,
  });
  stack.defer(() => database.close());
  return { database, secrets: localSecrets, localSecrets, failed };
}

/** Applies missing migrations and returns their names. Needs DB_OWNER_URL unless the database is embedded. */
export async function migrateDatabase(config: Config, report: MigrateReport): Promise<string[]> {
  const migrateAll = async (ownerUrl: string, logins: DatabaseUrls): Promise<string[]> =>
    (await migrate(ownerUrl, { logins, afterMigrations: migrateJobs, ...report })).applied;
  if (config.DB_URL === undefined) {
    const secrets = getLoginPasswords(loadOrCreateLocalSecrets(config.DATA_DIR));
    return withEmbedded({ dataDir: config.DATA_DIR, secrets, attach: true }, ({ ownerUrl, urls }) =>
      migrateAll(ownerUrl, urls),
    );
  }
  if (config.DB_OWNER_URL === undefined)
    throw new ConfigError('The setting DB_OWNER_URL must be set to migrate the database that DB_URL names.');
  throwIfInvalid(await checkOwner(config.DB_OWNER_URL));
  return migrateAll(config.DB_OWNER_URL, getExternalUrls(config));
}

/** The owner's login on what is to be distributed. Throws `ConfigError` where the settings name none. */
export function getClusterOwnerUrl({ DB_URL, DB_OWNER_URL }: Config): string {
  if (DB_URL !== undefined && DB_OWNER_URL !== undefined) return DB_OWNER_URL;
  throw new ConfigError('The settings DB_URL and DB_OWNER_URL must name the coordinator of a Citus cluster.');
}

/**
 * Spreads members' rows over the cluster whose coordinator the owner's URL names, and returns the tables that were
 * moved. Throws `ConfigError` where there is none.
 */
export async function distributeDatabase(ownerUrl: string): Promise<string[]> {
  try {
    return await distribute(ownerUrl);
  } catch (error) {
    throw error instanceof NotDistributable ? new ConfigError(error.message) : error;
  }
}

/** Checks what DB_URL and its companions lead to, and finds out where statements stay prepared. */
async function prepareExternal(
  config: Config,
  logger: Logger,
  { runsJobs }: OpenOptions,
): Promise<{ urls: DatabaseUrls; prepare: boolean; prepareOnReplica: boolean }> {
  const urls = getExternalUrls(config);
  if (config.DB_OWNER_URL !== undefined) await migrateDatabase(config, createMigrateReport(logger));
  throwIfInvalid(await checkLogins(urls));
  if (urls.replica) {
    const { requirement, unavailableReason } = await checkReplica(urls.service, urls.replica);
    throwIfInvalid(requirement && `The setting DB_REPLICA_URL must ${requirement}.`);
    if (unavailableReason) logger.warn(`the replica is not read from yet: ${unavailableReason}`);
  }
  const missingLogging = urls.assistant === undefined ? [] : await findMissingLogSettings(urls.assistant);
  if (missingLogging.length > 0) logger.warn({ missing: missingLogging }, SQL_LOGGED_WARNING);
  if (runsJobs && (await isTransactionPooled(urls.worker ?? urls.service)))
    throwIfInvalid(urls.worker ? WORKER_URL_POOLED : WORKER_URL_MISSING);
  const prepare = await supportsPreparedStatements(urls.service);
  // A replica that cannot be reached now is read without prepared statements later.
  const prepareOnReplica =
    urls.replica !== undefined && (await supportsPreparedStatements(urls.replica).catch(() => false));
  return { urls, prepare, prepareOnReplica };
}

const RUNBOOK = 'see docs/how-to/external-database.md';
const WORKER_URL_MISSING =
  'The setting DB_WORKER_URL must be set: the pooler in DB_URL changes connections between transactions, and the ' +
  `worker needs one of its own past it (or WORKER=off here, and a worker elsewhere); ${RUNBOOK}.`;
const WORKER_URL_POOLED =
  'The setting DB_WORKER_URL must lead past the pooler, or to one in session mode: the worker needs a connection of ' +
  `its own; ${RUNBOOK}.`;

const CITUS_HAS_NO_COST_ESTIMATE =
  "The setting DB_ASSISTANT_KEY must be empty: a distributed server (Citus) cannot say what a member's own SQL would " +
  'cost; see docs/how-to/distribute-by-member.md.';

const SQL_LOGGED_WARNING =
  "members' own SQL may appear in the database's log: a superuser gives the missing settings to the login " +
  'assistant_authenticator; see docs/how-to/external-database.md';

const createMigrateReport = (logger: Logger): MigrateReport => ({
  log: (message) => logger.info(message),
  warn: (message) => logger.warn(message),
});

function throwIfInvalid(sentence: string | undefined): void {
  if (sentence !== undefined) throw new ConfigError(sentence);
}

function connectWithConfig(
  urls: DatabaseUrls,
  config: Config,
  logger: Logger,
  server: Pick<ConnectOptions, 'prepare' | 'prepareOnReplica' | 'distributed' | 'requestTimeoutMs'>,
): Database {
  return connectDatabase(urls, {
    ...server,
    memberConnections: config.DB_CONNECTIONS,
    serviceConnections: config.DB_CONNECTIONS,
    onReplicaStateChange: (state) =>
      state.reading
        ? logger.info('market data is read from the replica')
        : logger.warn({ reason: state.reason }, 'market data is read from the primary: the replica is away or behind'),
    onError: (err) => logger.warn({ err }, 'a database connection broke'),
  });
}

function getExternalUrls(config: Config): DatabaseUrls {
  const { DB_URL: url, DB_SERVICE_ROLE_KEY: key, DB_ASSISTANT_KEY: assistant } = config;
  const { DB_WORKER_URL: worker, DB_REPLICA_URL: replica } = config;
  return {
    authenticator: url!,
    service: buildServiceUrl(url!, key!),
    assistant: assistant && buildServiceUrl(url!, assistant, ASSISTANT_LOGIN),
    worker: worker && buildServiceUrl(worker, key!),
    replica: replica && buildServiceUrl(replica, key!),
  };
}
