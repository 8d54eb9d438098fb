import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { type Config, ConfigError } from '../config/load-config.ts';
import { checkLogins, checkOwner, type ServerCheck, UnreachableServer } from '../platform/database/check-logins.ts';
import { isTransactionPooled, supportsPreparedStatements } from '../platform/database/check-pooler.ts';
import { listReadServerChecks } from '../platform/database/check-read-servers.ts';
import {
  connectDatabase,
  type ConnectOptions,
  type Database,
  type DatabaseUrls,
} from '../platform/database/connect.ts';
import { DataDirectoryUnavailable, isRestoreUnfinishedIn } from '../platform/database/data-directory.ts';
import { createCheckClient } from '../platform/database/disposable-client.ts';
import { distribute, isDistributed, NotDistributable } from '../platform/database/distribute.ts';
import {
  type EmbeddedServer,
  explainLostServer,
  NoDatabase,
  startEmbedded,
  withEmbedded,
} from '../platform/database/embedded.ts';
import {
  IncompatibleDatabase,
  migrate,
  type MigrateOptions,
  type MigrateReport,
} from '../platform/database/migrate.ts';
import { buildNodeUrl } from '../platform/database/read-nodes.ts';
import { ASSISTANT_LOGIN, buildServiceUrl } from '../platform/database/service-url.ts';
import { migrateJobs } from '../platform/jobs/migrate-jobs.ts';
import {
  assertSecretsMatchDatabase,
  type LocalSecrets,
  loadOrCreateLocalSecrets,
  loadOrCreateSharedSecrets,
  getLoginPasswords,
  getSecretsPath,
  readLocalSecrets,
  type ServiceSecrets,
} from './local-secrets.ts';

interface OpenOptions {
  /** Joins the embedded server that another process runs, and creates no database. */
  attach?: boolean;
  /** Whether this process runs jobs, which need a database session. */
  runsJobs?: boolean;
  /** Uses the secrets of the data directory even with DB_URL. */
  usesLocalSecrets?: boolean;
}

interface OpenDatabase {
  database: Database;
  secrets: ServiceSecrets;
  /** The secrets of the data directory, if they are in use. */
  localSecrets: LocalSecrets | undefined;
  /** Resolves only when the embedded server has exited unexpectedly. */
  failed: Promise<Error>;
}

/**
 * Starts or joins the database, migrates it if the owner's login is available, and connects. `stack` closes it. Throws
 * `ConfigError` if a setting prevents the service from working.
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

/** Connects to the database of DB_URL. */
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
  });
  stack.defer(() => database.close());
  const localSecrets = options.usesLocalSecrets ? loadOrCreateLocalSecrets(config.DATA_DIR) : undefined;
  const secrets = localSecrets ?? (await loadOrCreateSharedSecrets(config.DATA_DIR, database.service));
  // An external server that restarts does not stop the service, since the pool reconnects.
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
  throwIfRestoring(config.DATA_DIR);
  assertSecretsMatchDatabase(config.DATA_DIR);
  if (options.attach && readLocalSecrets(config.DATA_DIR) === undefined) throw new NoDatabase(config.DATA_DIR);
  const localSecrets = loadOrCreateLocalSecrets(config.DATA_DIR);
  const server = await startEmbedded({
    dataDir: config.DATA_DIR,
    secrets: getLoginPasswords(localSecrets),
    onExit: reportFailure,
    onRestart: (err) => logger.error({ err }, 'the embedded database exited unexpectedly and was restarted'),
    attach: options.attach ?? false,
    create: !options.attach,
  });
  stack.defer(() => server.stop());
  if (server.attached) await assertSecretsOpenDatabase(config.DATA_DIR, server.urls);
  else await migrateEmbedded(config.DATA_DIR, server, logger);
  const database = connectWithConfig(server.urls, config, logger, {
    prepare: true,
  });
  stack.defer(() => database.close());
  return { database, secrets: localSecrets, localSecrets, failed };
}

async function migrateEmbedded(dataDir: string, { ownerUrl, urls }: EmbeddedServer, logger: Logger): Promise<void> {
  try {
    await migrateAll(ownerUrl, { logins: urls, ...createMigrateReport(logger) });
  } catch (error) {
    throw await explainLostServer(dataDir, error);
  }
}

const INVALID_PASSWORD = '28P01';

/**
 * Throws `DataDirectoryUnavailable` if the embedded database does not accept the passwords of its data directory. Each
 * start sets them, so the secrets are of another installation or were created since, or a first start has not set them.
 */
export async function assertSecretsOpenDatabase(dataDir: string, { service }: DatabaseUrls): Promise<void> {
  await using client = createCheckClient(service);
  try {
    await client.connect();
  } catch (error) {
    if ((error as { code?: string }).code !== INVALID_PASSWORD) throw error;
    throw new DataDirectoryUnavailable(
      `${getSecretsPath(dataDir)} does not have the passwords of the database beside it: wait for the end of a first ` +
        'start, put the file of this installation back, or restart the service, which sets the passwords of this file.',
    );
  }
}

/** Applies missing migrations and returns their names. Needs DB_OWNER_URL unless the database is embedded. */
export async function migrateDatabase(config: Config, report: MigrateReport): Promise<string[]> {
  if (config.DB_URL === undefined) {
    throwIfRestoring(config.DATA_DIR);
    assertSecretsMatchDatabase(config.DATA_DIR);
    const secrets = getLoginPasswords(loadOrCreateLocalSecrets(config.DATA_DIR));
    return withEmbedded({ dataDir: config.DATA_DIR, secrets, attach: true }, ({ ownerUrl, urls }) =>
      migrateAll(ownerUrl, { logins: urls, ...report }),
    );
  }
  if (config.DB_OWNER_URL === undefined)
    throw new ConfigError('The setting DB_OWNER_URL must be set to migrate the database that DB_URL names.');
  throwIfInvalid(await checkOwner(config.DB_OWNER_URL));
  return migrateAll(config.DB_OWNER_URL, { logins: getExternalUrls(config), ...report });
}

/** Applies our migrations and the job queue's. Throws `ConfigError` if this version does not fit the database. */
async function migrateAll(ownerUrl: string, options: MigrateOptions): Promise<string[]> {
  try {
    return (await migrate(ownerUrl, { ...options, afterMigrations: migrateJobs })).applied;
  } catch (error) {
    throw error instanceof IncompatibleDatabase ? new ConfigError(error.message) : error;
  }
}

/** Returns the owner's URL of the database to distribute. Throws `ConfigError` if the settings name none. */
export function getClusterOwnerUrl({ DB_URL, DB_OWNER_URL }: Config): string {
  if (DB_URL !== undefined && DB_OWNER_URL !== undefined) return DB_OWNER_URL;
  throw new ConfigError('The settings DB_URL and DB_OWNER_URL must name the coordinator of a Citus cluster.');
}

/**
 * Distributes members' rows over the cluster of the owner's URL and returns the tables that were moved. Throws
 * `ConfigError` if the URL names no coordinator of a cluster.
 */
export async function distributeDatabase(ownerUrl: string): Promise<string[]> {
  try {
    return await distribute(ownerUrl);
  } catch (error) {
    throw error instanceof NotDistributable ? new ConfigError(error.message) : error;
  }
}

/** Migrates and checks the database of DB_URL. Returns its URLs, and which servers keep prepared statements. */
async function prepareExternal(
  config: Config,
  logger: Logger,
  { runsJobs }: OpenOptions,
): Promise<{ urls: DatabaseUrls; prepare: boolean; prepareOnReplica: boolean }> {
  const urls = getExternalUrls(config);
  if (config.DB_OWNER_URL !== undefined) await migrateDatabase(config, createMigrateReport(logger));
  throwIfInvalid(await checkLogins(urls));
  await checkReadServers(urls, logger);
  if (runsJobs && (await isTransactionPooled(urls.worker ?? urls.service)))
    throwIfInvalid(urls.worker ? WORKER_URL_POOLED : WORKER_URL_MISSING);
  const prepare = await supportsPreparedStatements(urls.service);
  // A replica that is unavailable now is read without prepared statements later.
  const prepareOnReplica =
    urls.replica !== undefined && (await supportsPreparedStatements(urls.replica).catch(() => false));
  return { urls, prepare, prepareOnReplica };
}

/** Checks the servers that only answer reads. An unavailable one is logged, since others answer until it is back. */
async function checkReadServers(urls: DatabaseUrls, logger: Logger): Promise<void> {
  const checkServer = async ({ login, check }: ServerCheck): Promise<void> => {
    try {
      throwIfInvalid(await check());
    } catch (error) {
      if (!(error instanceof UnreachableServer)) throw error;
      logger.warn({ err: error }, `${login} unavailable; reading from other servers`);
    }
  };
  await Promise.all(listReadServerChecks(urls).map(checkServer));
}

const RUNBOOK = 'see docs/how-to/external-database.md';
const WORKER_URL_MISSING =
  'The setting DB_WORKER_URL must be set: the pooler in DB_URL changes connections between transactions, and the ' +
  `worker needs a direct connection (or set WORKER=off here, and run a worker elsewhere); ${RUNBOOK}.`;
const WORKER_URL_POOLED =
  'The setting DB_WORKER_URL must bypass the pooler, or use a pooler in session mode: the worker needs a connection of ' +
  `its own; ${RUNBOOK}.`;

const CITUS_HAS_NO_COST_ESTIMATE =
  'The setting DB_ASSISTANT_KEY must be empty: the database is on a Citus cluster, which cannot estimate the cost ' +
  "of a member's SQL; see docs/how-to/distribute-by-member.md.";

const createMigrateReport = (logger: Logger): MigrateReport => ({
  log: (message) => logger.info(message),
  warn: (message) => logger.warn(message),
});

function throwIfRestoring(dataDir: string): void {
  if (isRestoreUnfinishedIn(dataDir))
    throwIfInvalid(
      `The setting DATA_DIR must name another folder, since the restore into ${resolve(dataDir)} has not finished: ` +
        'run "tally restore" again, or remove the folder.',
    );
}

function throwIfInvalid(sentence: string | undefined): void {
  if (sentence !== undefined) throw new ConfigError(sentence);
}

function connectWithConfig(
  urls: DatabaseUrls,
  config: Config,
  logger: Logger,
  server: Pick<ConnectOptions, 'prepare' | 'prepareOnReplica' | 'distributed'>,
): Database {
  return connectDatabase(urls, {
    ...server,
    memberConnections: config.DB_CONNECTIONS,
    serviceConnections: config.DB_CONNECTIONS,
    onReplicaStateChange: (state) =>
      state.reading
        ? logger.info('reading market data from the replica')
        : logger.warn({ reason: state.reason }, 'replica unavailable or behind; reading market data from the primary'),
    onAvailabilityChange: (isAvailable, reason) =>
      isAvailable ? logger.info('database available again') : logger.error({ reason }, 'database unavailable'),
    onWorkerStateChange: ({ name, isUp }) =>
      isUp ? logger.info({ node: name }, 'worker available again') : logger.error({ node: name }, 'worker unavailable'),
    onReadNodeFailure: (node, err) => logger.warn({ node, err }, 'read node unavailable; reading from another'),
    onError: (err) => logger.warn({ err }, 'database connection lost'),
  });
}

/** Returns the URLs of the logins on the database of DB_URL. */
export function getExternalUrls(config: Config): DatabaseUrls {
  const { DB_URL: url, DB_SERVICE_ROLE_KEY: key, DB_ASSISTANT_KEY: assistant } = config;
  const { DB_WORKER_URL: worker, DB_REPLICA_URL: replica, DB_READ_NODES: readNodes = [] } = config;
  return {
    authenticator: url!,
    service: buildServiceUrl(url!, key!),
    assistant: assistant && buildServiceUrl(url!, assistant, ASSISTANT_LOGIN),
    worker: worker && buildServiceUrl(worker, key!),
    replica: replica && buildServiceUrl(replica, key!),
    readNodes: readNodes.map((name) => ({ name, url: buildNodeUrl(url!, name) })),
  };
}
