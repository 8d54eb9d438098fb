import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { createFeatures } from './app.ts';
import type { AppDependencies } from './installation/app-dependencies.ts';
import { checkDependencies } from './installation/check-dependencies.ts';
import { type Config, ConfigError } from './config/load-config.ts';
import { readSiteDocuments } from './config/read-site-documents.ts';
import { getRevenueToken, getTracingSettings } from './config/provider-settings.ts';
import { isConnectionLoss } from './platform/database/connection-loss.ts';
import type { Database } from './platform/database/connect.ts';
import { DataDirectoryError, DataDirectoryUnavailable } from './platform/database/data-directory.ts';
import * as diskFull from './platform/database/disk-full.ts';
import { explainLostServer } from './platform/database/embedded.ts';
import { withLongStatements } from './platform/database/statement-timeouts.ts';
import { type FirstRun, readFirstRun, type Seeded, seedFirstRun } from './installation/first-run.ts';
import { ListenAddressError, listenWithErrorHint } from './platform/http/listen.ts';
import { createLogger } from './platform/http/logger.ts';
import { readMetricSnapshot } from './platform/http/read-metrics.ts';
import { reservePort } from './platform/http/reserve-port.ts';
import { createMetricsPeers, type MetricsPeers } from './platform/http/process-metrics-channel.ts';
import { readVersion } from './platform/http/version.ts';
import { hasMembers } from './platform/identity/queries.ts';
import { openDatabase } from './installation/open-database.ts';
import { createWorkerApp } from './installation/worker-app.ts';
import { enqueueOverdueJobs, closeFeatures, seedFeatures, startWorker } from './installation/run-features.ts';

interface RunningService {
  /** URL at which the service listens, as a person would type it. */
  url: string;
  /** Result of the first run. It is `undefined` on every later start. */
  firstRun: FirstRun | undefined;
  /** Result of the first run, of this start or an earlier one, while its file exists. */
  storedFirstRun: FirstRun | undefined;
  /** Resolves only when an essential part has stopped unexpectedly, such as the embedded database. */
  failed: Promise<Error>;
  /** Finishes running requests, then stops the worker, the database and everything else, in that order. */
  stop(): Promise<void>;
}

type Features = Awaited<ReturnType<typeof createFeatures>>;

/** Loads all features. Commands that need none of them start without, and a start loads them while its database starts. */
const loadApp = () => import('./app.ts');

async function loadTokenApiApp() {
  const { createTokenApiApp } = await import('./installation/token-api-app.ts');
  return createTokenApiApp;
}

/** Returns whether a command failed until an operator changes the setting or the file that its message names. */
export const isSettingError = (error: unknown): error is Error =>
  error instanceof ConfigError || error instanceof DataDirectoryError || error instanceof ListenAddressError;

/** Returns whether a command failed because DATA_DIR is on a full disk or in use by another process. */
export const isDataDirectoryUnavailable = (error: unknown): error is Error => error instanceof DataDirectoryUnavailable;

/** Returns whether a command failed because the database cannot be reached. */
export const isDatabaseUnreachable = isConnectionLoss;

/** Returns whether a command failed because the disk of the database, or one of this machine, is full. */
export const { isDatabaseDiskFull, isLocalDiskFull } = diskFull;

/** Returns the version that `tally --version` prints. */
export const getProgramVersion = readVersion;

/** Opens the registry of processes that share one port, for the command that starts them. */
export const openMetricsPeers = createMetricsPeers;

const DATABASE_REQUIRED =
  'The setting DB_URL must be set for --only: another process of the service has the embedded database.';

const FIRST_START =
  'first start in an empty DATA_DIR: if you expected data, stop the service and check that the volume is mounted';

const WEB_ROOT = fileURLToPath(new URL('../dist/web/', import.meta.url));

export interface StartOptions extends Pick<AppDependencies, 'marketUrls' | 'embeddedIdentity'> {
  /** Whether to seed the first run. By default only the first process with the embedded database does it. */
  seed?: boolean;
  /** Joins the service that already runs: its port and, without DB_URL, its embedded database. */
  attach?: boolean;
  /** Serves only this part, with health and metrics. It needs DB_URL or `attach`, and runs no jobs. */
  only?: 'token-api' | undefined;
  /** The processes that share the port, if there may be several. */
  metricsPeers?: MetricsPeers | undefined;
  /** Awaited during shutdown after requests and jobs have ended, and before the embedded database stops. */
  beforeDatabaseStops?: () => Promise<unknown>;
}

/**
 * Starts the whole service: database (embedded unless DB_URL names one), migrations, first run, routes, worker. Throws
 * `ConfigError`, `DataDirectoryInUse` or the error of the failed step. Nothing is left running then.
 */
export async function start(config: Config, options: StartOptions = {}): Promise<RunningService> {
  try {
    return await startParts(config, options);
  } catch (error) {
    throw config.DB_URL === undefined ? await explainLostServer(config.DATA_DIR, error) : error;
  }
}

async function startParts(config: Config, options: StartOptions): Promise<RunningService> {
  const siteDocuments = readSiteDocuments(config);
  const logger = createLogger(config.LOG_LEVEL);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => logger.flush());
  await startTracing(config, logger, stack);
  const { attach = false, only, metricsPeers, marketUrls, embeddedIdentity } = options;
  if (only && config.DB_URL === undefined && !attach) throw new ConfigError(DATABASE_REQUIRED);
  const seed = options.seed ?? (config.DB_URL === undefined && !attach);
  const [create, opened] = await Promise.all([
    only ? loadTokenApiApp() : loadApp().then(({ createApp }) => createApp),
    openDatabase(config, logger, stack, { attach, runsJobs: config.WORKER && !only, usesLocalSecrets: seed }),
  ]);
  const { database, secrets, localSecrets, failed } = opened;
  await checkDependencies(config, secrets, database, logger);
  stack.defer(async () => {
    await options.beforeDatabaseStops?.();
  });

  // Tokens are issued under the base URL, so it must be fixed before anything listens.
  const address = { host: config.HOST, port: config.PORT };
  // The system would also share the port with another program, so the port is reserved first.
  const reserved =
    config.PORT === 0 || (metricsPeers && !attach)
      ? await listenWithErrorHint(address, () => reservePort(config.HOST, config.PORT))
      : undefined;
  stack.defer(async () => reserved?.release());
  const port = reserved?.port ?? config.PORT;
  const url = `http://${toUrlHost(config.HOST)}:${port}`;
  const baseUrl = config.BASE_URL ?? url;
  const deps = { config, secrets, database, logger, baseUrl, metricsPeers, marketUrls, embeddedIdentity };
  const firstRun =
    seed && localSecrets
      ? await seedFirstRun({
          seed: (store) => seedInstallation(deps, store),
          dataDir: config.DATA_DIR,
          operatorToken: config.DEMO_ACCESS_OPERATOR_TOKEN,
          hosted: config.IDP_API_URL ? { demoAccountId: config.DEMO_ACCOUNT_IDP_USER_ID } : undefined,
          revenueToken: getRevenueToken(config, localSecrets),
          baseUrl,
          secrets: localSecrets,
        })
      : undefined;
  if (firstRun) logger.info({ dataDir: config.DATA_DIR }, FIRST_START);
  const app = await create({ ...deps, webRoot: WEB_ROOT, siteDocuments });
  stack.defer(() => app.close());
  await reserved?.release();
  const listenOptions = { host: config.HOST, port, reusePort: metricsPeers !== undefined };
  await listenWithErrorHint({ ...address, port }, () => app.http.listen(listenOptions));
  logger.info(`listening at ${url}`);
  metricsPeers?.setMetricsReader(() => readMetricSnapshot(app.metrics.registry, logger));
  await app.startBackground(url);

  const running = stack.move();
  let stopping: Promise<void> | undefined;
  const storedFirstRun = firstRun ?? (seed ? readFirstRun(config.DATA_DIR) : undefined);
  // Members of an earlier start on the embedded provider cannot sign in at a hosted one.
  if (storedFirstRun && config.IDP_API_URL) storedFirstRun.members = [];
  return {
    url,
    firstRun,
    storedFirstRun,
    failed,
    stop: () => {
      if (!stopping) logger.info('stopping');
      stopping ??= running.disposeAsync();
      return stopping;
    },
  };
}

/**
 * Seeds before the application is created, because the application needs the reserved accounts from its start. Returns
 * undefined and changes nothing if there are members that no interrupted first run created.
 */
async function seedInstallation<T>(deps: AppDependencies, store: (seeded: Seeded) => T): Promise<T | undefined> {
  const { createFeatures } = await loadApp();
  const { list, identity, tokenCounting } = await createFeatures(deps);
  const { provider } = identity;
  try {
    return await withLongStatements(async () => {
      const isNew = (await provider.hasUnfinishedFirstRun()) || !(await hasMembers(deps.database.service));
      if (!isNew) return undefined;
      const people = await provider.seedPeople();
      await seedFeatures(list, people);
      const stored = store({ people, apiKey: await tokenCounting.seedApiKey() });
      await provider.endFirstRun();
      return stored;
    });
  } finally {
    await closeFeatures(list);
  }
}

/** Loads and starts tracing if a collector is configured. */
async function startTracing(config: Config, logger: Logger, stack: AsyncDisposableStack): Promise<void> {
  const tracing = getTracingSettings(config);
  if (!tracing) return;
  const { openTracing } = await import('./platform/http/tracing/open-tracing.ts');
  const { close } = openTracing({ ...tracing, logger });
  stack.defer(close);
}

/** Runs only the job worker, until it is stopped. */
export async function runWorker(config: Config): Promise<{ stop(): Promise<void> }> {
  const logger = createLogger(config.LOG_LEVEL);
  await using stack = new AsyncDisposableStack();
  await startTracing(config, logger, stack);
  const { database, secrets } = await openDatabase(config, logger, stack, { attach: true, runsJobs: true });
  await checkDependencies(config, secrets, database, logger);
  const baseUrl = config.BASE_URL ?? `http://${toUrlHost(config.HOST)}:${config.PORT}`;
  const deps = { config, secrets, database, logger, baseUrl };
  const { createFeatures } = await loadApp();
  const { list, jobs, metrics } = await createFeatures(deps);
  stack.defer(() => closeFeatures(list));
  if (config.WORKER_PORT !== undefined) {
    const address = { host: config.HOST, port: config.WORKER_PORT };
    const http = await createWorkerApp(deps, { jobs, metrics });
    stack.defer(() => http.close());
    await listenWithErrorHint({ ...address, setting: 'WORKER_PORT' }, () => http.listen(address));
  }
  await enqueueOverdueJobs(list, logger);
  const worker = await startWorker(jobs, list, logger);
  stack.defer(() => worker.stop());
  const running = stack.move();
  return { stop: () => running.disposeAsync() };
}

/**
 * Opens the database for one command and closes it afterwards. It joins the server of a running service, if there is
 * one.
 */
export async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  await using stack = new AsyncDisposableStack();
  const { database } = await openDatabase(config, createLogger('warn'), stack, { attach: true });
  return await withLongStatements(() => work(database));
}

/** Creates the features for one command on a database that is opened as in `withDatabase`. */
export async function withFeatures<T>(config: Config, work: (features: Features, database: Database) => Promise<T>) {
  await using stack = new AsyncDisposableStack();
  const logger = createLogger('warn');
  const { database, secrets } = await openDatabase(config, logger, stack, { attach: true });
  const baseUrl = config.BASE_URL ?? `http://${toUrlHost(config.HOST)}:${config.PORT}`;
  const { createFeatures } = await loadApp();
  const features = await createFeatures({ config, secrets, database, logger, baseUrl });
  stack.defer(() => closeFeatures(features.list));
  return await withLongStatements(() => work(features, database));
}

/** Returns a host that a browser on this machine can open. "Every interface" becomes the loopback address. */
function toUrlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
