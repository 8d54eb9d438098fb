import type { Logger } from 'pino';
import { type Config, WrongSetting } from './config/load-config.ts';
import { checkLogins, checkOwner } from './platform/database/check-logins.ts';
import { isTransactionPooled, keepsPrepared } from './platform/database/check-pooler.ts';
import { checkReplica } from './platform/database/check-replica.ts';
import { missingLogSettings } from './platform/database/check-statement-log.ts';
import { connectDatabase, type ConnectOptions, type Database, type DatabaseUrls } from './platform/database/connect.ts';
import { distribute, isDistributed, NotDistributable } from './platform/database/distribute.ts';
import { NoDatabase, startEmbedded, withEmbedded } from './platform/database/embedded.ts';
import { migrate, type MigrateReport } from './platform/database/migrate.ts';
import { ASSISTANT_LOGIN, serviceUrl } from './platform/database/service-url.ts';
import { migrateJobs } from './platform/jobs/migrate-jobs.ts';
import {
  type LocalSecrets,
  openLocalSecrets,
  openSharedSecrets,
  passwordsOf,
  readLocalSecrets,
  type ServiceSecrets,
} from './local-secrets.ts';

interface OpenOptions {
  /** Uses the embedded server that another process runs, and makes none where there is no database. */
  attach?: boolean;
  /** Whether this process will do jobs, for which a session is needed. */
  works?: boolean;
  /** Takes the secrets of the data directory beside DB_URL too. */
  localSecrets?: boolean;
  /** Milliseconds after which a statement of a request is given up (default 15,000). */
  requestLimit?: number | undefined;
}

interface OpenDatabase {
  database: Database;
  secrets: ServiceSecrets;
  /** The file's, where the secrets are those of the data directory. */
  local: LocalSecrets | undefined;
  /** Settles only when the embedded server has ended by itself. */
  failed: Promise<Error>;
}

/**
 * Starts or finds the database, brings it up to date where its owner's login is at hand, and connects; `stack` closes
 * it. Throws `WrongSetting` for a setting under which the service would not work.
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
  if (distributed && urls.assistant !== undefined) refuse(NO_COSTS);
  const database = connectTo(urls, config, logger, {
    prepare,
    prepareOnReplica,
    distributed,
    requestLimit: options.requestLimit,
  });
  stack.defer(() => database.close());
  const local = options.localSecrets ? openLocalSecrets(config.DATA_DIR) : undefined;
  const secrets = local ?? (await openSharedSecrets(config.DATA_DIR, database.service));
  // A server of somebody else's that ends is no reason to stop: the pool connects again.
  const { promise: failed } = Promise.withResolvers<Error>();
  return { database, secrets, local, failed };
}

/** Starts the embedded server, or joins the one that another process runs, and connects to it. */
async function openEmbedded(
  config: Config,
  logger: Logger,
  stack: AsyncDisposableStack,
  options: OpenOptions,
): Promise<OpenDatabase> {
  const { promise: failed, resolve: fail } = Promise.withResolvers<Error>();
  if (options.attach && readLocalSecrets(config.DATA_DIR) === undefined) throw new NoDatabase(config.DATA_DIR);
  const local = openLocalSecrets(config.DATA_DIR);
  const server = await startEmbedded({
    dataDir: config.DATA_DIR,
    secrets: passwordsOf(local),
    onExit: fail,
    onRestart: (err) => logger.error({ err }, 'the embedded database was started again'),
    attach: options.attach ?? false,
    create: !options.attach,
  });
  stack.defer(() => server.stop());
  if (!server.attached)
    await migrate(server.ownerUrl, { logins: server.urls, afterwards: migrateJobs, ...reportTo(logger) });
  const database = connectTo(server.urls, config, logger, { prepare: true, requestLimit: options.requestLimit });
  stack.defer(() => database.close());
  return { database, secrets: local, local, failed };
}

/** Applies missing migrations and returns their names. Needs DB_OWNER_URL unless the database is embedded. */
export async function migrateDatabase(config: Config, report: MigrateReport): Promise<string[]> {
  const migrateAll = async (ownerUrl: string, logins: DatabaseUrls): Promise<string[]> =>
    (await migrate(ownerUrl, { logins, afterwards: migrateJobs, ...report })).applied;
  if (config.DB_URL === undefined) {
    const secrets = passwordsOf(openLocalSecrets(config.DATA_DIR));
    return withEmbedded({ dataDir: config.DATA_DIR, secrets, attach: true }, ({ ownerUrl, urls }) =>
      migrateAll(ownerUrl, urls),
    );
  }
  if (config.DB_OWNER_URL === undefined)
    throw new WrongSetting('The setting DB_OWNER_URL must be set to migrate the database that DB_URL names.');
  refuse(await checkOwner(config.DB_OWNER_URL));
  return migrateAll(config.DB_OWNER_URL, externalUrls(config));
}

/** The owner's login on what is to be distributed. Throws `WrongSetting` where the settings name none. */
export function clusterOwner({ DB_URL, DB_OWNER_URL }: Config): string {
  if (DB_URL !== undefined && DB_OWNER_URL !== undefined) return DB_OWNER_URL;
  throw new WrongSetting('The settings DB_URL and DB_OWNER_URL must name the coordinator of a Citus cluster.');
}

/**
 * Spreads members' rows over the cluster whose coordinator the owner's URL names, and returns the tables that were
 * moved. Throws `WrongSetting` where there is none.
 */
export async function distributeDatabase(ownerUrl: string): Promise<string[]> {
  try {
    return await distribute(ownerUrl);
  } catch (error) {
    throw error instanceof NotDistributable ? new WrongSetting(error.message) : error;
  }
}

/** Checks what DB_URL and its companions lead to, and finds out where statements stay prepared. */
async function prepareExternal(
  config: Config,
  logger: Logger,
  { works }: OpenOptions,
): Promise<{ urls: DatabaseUrls; prepare: boolean; prepareOnReplica: boolean }> {
  const urls = externalUrls(config);
  if (config.DB_OWNER_URL !== undefined) await migrateDatabase(config, reportTo(logger));
  refuse(await checkLogins(urls));
  if (urls.replica) {
    const { must, waits } = await checkReplica(urls.service, urls.replica);
    refuse(must && `The setting DB_REPLICA_URL must ${must}.`);
    if (waits) logger.warn(`the replica is not read from yet: ${waits}`);
  }
  const logged = urls.assistant === undefined ? [] : await missingLogSettings(urls.assistant);
  if (logged.length > 0) logger.warn({ missing: logged }, LOGGED_SQL);
  if (works && (await isTransactionPooled(urls.worker ?? urls.service))) refuse(urls.worker ? POOLED : SESSIONLESS);
  const prepare = await keepsPrepared(urls.service);
  // A replica that cannot be reached now is read without prepared statements later.
  const prepareOnReplica = urls.replica !== undefined && (await keepsPrepared(urls.replica).catch(() => false));
  return { urls, prepare, prepareOnReplica };
}

const RUNBOOK = 'see docs/how-to/external-database.md';
const SESSIONLESS =
  'The setting DB_WORKER_URL must be set: the pooler in DB_URL changes connections between transactions, and the ' +
  `worker needs one of its own past it (or WORKER=off here, and a worker elsewhere); ${RUNBOOK}.`;
const POOLED =
  'The setting DB_WORKER_URL must lead past the pooler, or to one in session mode: the worker needs a connection of ' +
  `its own; ${RUNBOOK}.`;

const NO_COSTS =
  "The setting DB_ASSISTANT_KEY must be empty: a distributed server (Citus) cannot say what a member's own SQL would " +
  'cost; see docs/how-to/distribute-by-member.md.';

const LOGGED_SQL =
  "members' own SQL may appear in the database's log: a superuser gives the missing settings to the login " +
  'assistant_authenticator; see docs/how-to/external-database.md';

const reportTo = (logger: Logger): MigrateReport => ({
  log: (message) => logger.info(message),
  warn: (message) => logger.warn(message),
});

function refuse(sentence: string | undefined): void {
  if (sentence !== undefined) throw new WrongSetting(sentence);
}

function connectTo(
  urls: DatabaseUrls,
  config: Config,
  logger: Logger,
  server: Pick<ConnectOptions, 'prepare' | 'prepareOnReplica' | 'distributed' | 'requestLimit'>,
): Database {
  return connectDatabase(urls, {
    ...server,
    memberConnections: config.DB_CONNECTIONS,
    serviceConnections: config.DB_CONNECTIONS,
    onReplica: (state) =>
      state.reading
        ? logger.info('market data is read from the replica')
        : logger.warn({ reason: state.reason }, 'market data is read from the primary: the replica is away or behind'),
    onError: (err) => logger.warn({ err }, 'a database connection broke'),
  });
}

function externalUrls(config: Config): DatabaseUrls {
  const { DB_URL: url, DB_SERVICE_ROLE_KEY: key, DB_ASSISTANT_KEY: assistant } = config;
  const { DB_WORKER_URL: worker, DB_REPLICA_URL: replica } = config;
  return {
    authenticator: url!,
    service: serviceUrl(url!, key!),
    assistant: assistant && serviceUrl(url!, assistant, ASSISTANT_LOGIN),
    worker: worker && serviceUrl(worker, key!),
    replica: replica && serviceUrl(replica, key!),
  };
}
