import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { type AppDependencies, createApp, createSlices } from './app.ts';
import { type Config } from './config/load-config.ts';
import { type MarketUrls, getRevenueToken, getTracingSettings } from './config/provider-settings.ts';
import type { Database } from './platform/database/connect.ts';
import { withLongStatements } from './platform/database/statement-timeouts.ts';
import { type FirstRun, readFirstRun, seedFirstRun } from './first-run.ts';
import { listenWithErrorHint } from './platform/http/listen.ts';
import { createLogger } from './platform/http/logger.ts';
import { readMetricSnapshot } from './platform/http/read-metrics.ts';
import { reservePort } from './platform/http/reserve-port.ts';
import { createMetricsPeers, type MetricsPeers } from './platform/http/process-metrics-channel.ts';
import { readVersion } from './platform/http/version.ts';
import { openDatabase } from './open-database.ts';
import { enqueueOverdueJobs, closeSlices, seedSlices, startWorker } from './run-slices.ts';

interface RunningService {
  /** Where it listens, as a person would type it. */
  url: string;
  /** What the first start made; `undefined` on every later one. */
  firstRun: FirstRun | undefined;
  /** What the first start made, on this one or an earlier one, as long as its file is there. */
  storedFirstRun: FirstRun | undefined;
  /** Settles only when something it cannot live without has ended by itself, such as the embedded database. */
  failed: Promise<Error>;
  /** Answers what is under way, then stops the worker, the database and everything else, in that order. */
  stop(): Promise<void>;
}

type Slices = Awaited<ReturnType<typeof createSlices>>;

/** What `tally --version` says. */
export const getProgramVersion = readVersion;

/** The processes that serve one port together, for the command that starts them. */
export const openMetricsPeers = createMetricsPeers;

const WEB_ROOT = fileURLToPath(new URL('../dist/web/', import.meta.url));

interface StartOptions {
  /** Makes the first run's people and keys; by default only beside the embedded database, by its first process. */
  seed?: boolean;
  /** Joins the service that runs beside this process: its port and, without DB_URL, its embedded database. */
  attach?: boolean;
  /** The processes that serve the port together, where there may be several. */
  metricsPeers?: MetricsPeers | undefined;
  /** Awaited when the service stops, between its own requests and jobs and the end of the embedded database. */
  beforeDatabaseStops?: () => Promise<unknown>;
  /** Milliseconds after which a statement of a request is given up, for tests. */
  requestTimeoutMs?: number;
  marketUrls?: MarketUrls;
}

/**
 * Starts the whole service: database (embedded unless DB_URL names one), migrations, first run, routes, worker.
 * Throws `ConfigError`, `DataDirectoryInUse` or whatever keeps it from starting; nothing is left running then.
 */
export async function start(config: Config, options: StartOptions = {}): Promise<RunningService> {
  const logger = createLogger(config.LOG_LEVEL);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => logger.flush());
  await startTracing(config, logger, stack);
  const { attach = false, metricsPeers, requestTimeoutMs, marketUrls } = options;
  const seed = options.seed ?? (config.DB_URL === undefined && !attach);
  const opened = await openDatabase(config, logger, stack, {
    attach,
    runsJobs: config.WORKER,
    usesLocalSecrets: seed,
    requestTimeoutMs,
  });
  const { database, secrets, localSecrets, failed } = opened;
  stack.defer(async () => void (await options.beforeDatabaseStops?.()));

  // The base URL, which tokens are issued under, must be known before anything listens.
  const address = { host: config.HOST, port: config.PORT };
  // A port that is to be shared must not be shared with another program, which the system would allow.
  const reserved =
    config.PORT === 0 || (metricsPeers && !attach)
      ? await listenWithErrorHint(address, () => reservePort(config.HOST, config.PORT))
      : undefined;
  stack.defer(async () => reserved?.release());
  const port = reserved?.port ?? config.PORT;
  const url = `http://${toUrlHost(config.HOST)}:${port}`;
  const baseUrl = config.BASE_URL ?? url;
  const deps = { config, secrets, database, logger, baseUrl, metricsPeers, marketUrls };
  const firstRun =
    seed && localSecrets
      ? await seedFirstRun({
          seed: () => seedInstallation(deps),
          dataDir: config.DATA_DIR,
          operatorToken: config.DEMO_ACCESS_OPERATOR_TOKEN,
          hosted: config.IDP_API_URL ? { demoAccountId: config.DEMO_ACCOUNT_IDP_USER_ID } : undefined,
          revenueToken: getRevenueToken(config, localSecrets),
          baseUrl,
          secrets: localSecrets,
        })
      : undefined;
  const app = await createApp({ ...deps, webRoot: WEB_ROOT });
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
  return { url, firstRun, storedFirstRun, failed, stop: () => (stopping ??= running.disposeAsync()) };
}

/** Seeds before the service is put together: which accounts have special rules is known to it from the beginning. */
async function seedInstallation(deps: AppDependencies) {
  const { list, identity, tokenCounting } = await createSlices(deps);
  try {
    return await withLongStatements(async () => {
      const people = await identity.provider.seedPeople();
      await seedSlices(list, people);
      return { people, apiKey: await tokenCounting.seedApiKey() };
    });
  } finally {
    await closeSlices(list);
  }
}

/** Loads tracing and begins it, where a collector is set. */
async function startTracing(config: Config, logger: Logger, stack: AsyncDisposableStack): Promise<void> {
  const tracing = getTracingSettings(config);
  if (!tracing) return;
  const { openTracing } = await import('./platform/http/tracing/open-tracing.ts');
  const { close } = openTracing({ ...tracing, logger });
  stack.defer(close);
}

/** Runs the job worker alone, until stopped. */
export async function runWorker(config: Config): Promise<{ stop(): Promise<void> }> {
  const logger = createLogger(config.LOG_LEVEL);
  await using stack = new AsyncDisposableStack();
  await startTracing(config, logger, stack);
  const { database, secrets } = await openDatabase(config, logger, stack, { attach: true, runsJobs: true });
  const baseUrl = config.BASE_URL ?? `http://${toUrlHost(config.HOST)}:${config.PORT}`;
  const { list, jobs } = await createSlices({ config, secrets, database, logger, baseUrl });
  stack.defer(() => closeSlices(list));
  await enqueueOverdueJobs(list, logger);
  const worker = await startWorker(jobs, list, logger);
  stack.defer(() => worker.stop());
  const running = stack.move();
  return { stop: () => running.disposeAsync() };
}

/** Opens the database for one command, beside a running service where there is one, and closes it afterwards. */
export async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  await using stack = new AsyncDisposableStack();
  const { database } = await openDatabase(config, createLogger('warn'), stack, { attach: true });
  return await withLongStatements(() => work(database));
}

/** Puts the slices together for one command, as `withDatabase` opens the database. */
export async function withSlices<T>(config: Config, work: (slices: Slices, database: Database) => Promise<T>) {
  await using stack = new AsyncDisposableStack();
  const logger = createLogger('warn');
  const { database, secrets } = await openDatabase(config, logger, stack, { attach: true });
  const baseUrl = config.BASE_URL ?? 'http://127.0.0.1';
  const slices = await createSlices({ config, secrets, database, logger, baseUrl });
  stack.defer(() => closeSlices(slices.list));
  return await withLongStatements(() => work(slices, database));
}

/** How a person on this machine would reach the host: "every interface" is no address. */
function toUrlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
