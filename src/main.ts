import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { type AppDependencies, createApp, createSlices } from './app.ts';
import { type Config, WrongSetting } from './config.ts';
import { checkLogins, checkOwner } from './database/check-logins.ts';
import { connectDatabase, type Database, type DatabaseUrls } from './database/connect.ts';
import { NoDatabase, startEmbedded } from './database/embedded.ts';
import { migrate, type MigrateOptions } from './database/migrate.ts';
import { ASSISTANT_LOGIN, serviceUrl } from './database/service-url.ts';
import { type FirstRun, readFirstRun, seedFirstRun } from './first-run.ts';
import { listenOrExplain } from './http/listen-or-explain.ts';
import { createLogger } from './http/logger.ts';
import { listenForMetrics } from './http/metrics-route.ts';
import { reservePort } from './http/reserve-port.ts';
import { migrateJobs } from './jobs/migrate-jobs.ts';
import { type LocalSecrets, openLocalSecrets, readLocalSecrets } from './local-secrets.ts';
import { readVersion } from './http/version.ts';
import { catchUp, closeSlices, seedSlices, startWorker } from './run-slices.ts';

interface RunningService {
  /** Where it listens, as a person would type it. */
  url: string;
  /** What the first start made; `undefined` on every later one. */
  firstRun: FirstRun | undefined;
  /** What the first start made, on this one or an earlier one, as long as its file is there. */
  known: FirstRun | undefined;
  /** Settles only when something it cannot live without has ended by itself, such as the embedded database. */
  failed: Promise<Error>;
  /** Answers what is under way, then stops the worker, the database and everything else, in that order. */
  stop(): Promise<void>;
}

type Slices = Awaited<ReturnType<typeof createSlices>>;

/** What `tally --version` says. */
export const programVersion = readVersion;

const WEB_ROOT = fileURLToPath(new URL('../dist/web/', import.meta.url));

/**
 * Starts the whole service: database (embedded unless DB_URL names one), migrations, first run, routes, worker.
 * Throws `WrongSetting`, `DataDirectoryInUse` or whatever keeps it from starting; nothing is left running then.
 * `seed` makes the first run's people and keys; by default only beside the embedded database.
 */
export async function start(config: Config, options: { seed?: boolean } = {}): Promise<RunningService> {
  const logger = createLogger(config.LOG_LEVEL);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => logger.flush());
  const { secrets, urls, failed } = await prepareDatabase(config, logger, stack);
  const database = connectTo(urls, config, logger);
  stack.defer(() => database.close());

  // The base URL, which tokens are issued under, must be known before anything listens.
  const reserved =
    config.PORT === 0
      ? await listenOrExplain({ host: config.HOST, port: 0, setting: 'PORT' }, () => reservePort(config.HOST))
      : undefined;
  stack.defer(async () => reserved?.release());
  const port = reserved?.port ?? config.PORT;
  const url = `http://${hostForUrl(config.HOST)}:${port}`;
  const baseUrl = config.BASE_URL ?? url;
  const deps = { config, secrets, database, logger, baseUrl };
  const seed = options.seed ?? config.DB_URL === undefined;
  const firstRun = seed
    ? await seedFirstRun({
        seed: () => seedInstallation(deps),
        dataDir: config.DATA_DIR,
        operatorToken: config.DEMO_ACCESS_OPERATOR_TOKEN,
        ...{ baseUrl, secrets },
      })
    : undefined;
  const app = await createApp({ ...deps, webRoot: WEB_ROOT });
  stack.defer(() => app.close());
  await reserved?.release();
  await listenOrExplain({ host: config.HOST, port, setting: 'PORT' }, () =>
    app.http.listen({ host: config.HOST, port }),
  );
  const metricsPort = config.METRICS_PORT;
  if (metricsPort !== undefined) {
    const metrics = await listenOrExplain({ host: config.HOST, port: metricsPort, setting: 'METRICS_PORT' }, () =>
      listenForMetrics(app.metrics, logger, { host: config.HOST, port: metricsPort }),
    );
    stack.defer(() => new Promise<void>((resolve) => void metrics.close(() => resolve())));
  }
  await app.startBackground(url);

  const running = stack.move();
  let stopping: Promise<void> | undefined;
  const known = firstRun ?? (seed ? readFirstRun(config.DATA_DIR) : undefined);
  return { url, firstRun, known, failed, stop: () => (stopping ??= running.disposeAsync()) };
}

/** Applies missing migrations and returns their names. Needs DB_OWNER_URL unless the database is embedded. */
export async function migrateDatabase(
  config: Config,
  report: Required<Pick<MigrateOptions, 'log' | 'warn'>>,
): Promise<string[]> {
  if (config.DB_URL === undefined) {
    const secrets = openLocalSecrets(config.DATA_DIR);
    const server = await startEmbedded({ dataDir: config.DATA_DIR, secrets: passwordsOf(secrets), attach: true });
    try {
      return (await migrate(server.ownerUrl, { logins: server.urls, afterwards: migrateJobs, ...report })).applied;
    } finally {
      await server.stop();
    }
  }
  if (config.DB_OWNER_URL === undefined)
    throw new WrongSetting('The setting DB_OWNER_URL must be set to migrate the database that DB_URL names.');
  refuse(await checkOwner(config.DB_OWNER_URL));
  return (await migrate(config.DB_OWNER_URL, { logins: externalUrls(config), afterwards: migrateJobs, ...report }))
    .applied;
}

/** Seeds before the service is put together: which accounts have special rules is known to it from the beginning. */
async function seedInstallation(deps: AppDependencies) {
  const { list, tokenCounting } = await createSlices(deps);
  try {
    return { people: await seedSlices(list, deps.database.service), apiKey: await tokenCounting.seedApiKey() };
  } finally {
    await closeSlices(list);
  }
}

/** Runs the job worker alone, until stopped. */
export async function work(config: Config): Promise<{ stop(): Promise<void> }> {
  const logger = createLogger(config.LOG_LEVEL);
  await using stack = new AsyncDisposableStack();
  const { database, secrets } = await openDatabase(config, logger, stack);
  const baseUrl = config.BASE_URL ?? `http://${hostForUrl(config.HOST)}:${config.PORT}`;
  const { list, jobs } = await createSlices({ config, secrets, database, logger, baseUrl });
  stack.defer(() => closeSlices(list));
  await catchUp(list, logger);
  const worker = await startWorker(jobs, list, logger);
  stack.defer(() => worker.stop());
  const running = stack.move();
  return { stop: () => running.disposeAsync() };
}

/** Opens the database for one command, beside a running service where there is one, and closes it afterwards. */
export async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  await using stack = new AsyncDisposableStack();
  return await work((await openDatabase(config, createLogger('warn'), stack)).database);
}

/** Puts the slices together for one command, as `withDatabase` opens the database. */
export async function withSlices<T>(config: Config, work: (slices: Slices) => Promise<T>): Promise<T> {
  await using stack = new AsyncDisposableStack();
  const logger = createLogger('warn');
  const { database, secrets } = await openDatabase(config, logger, stack);
  const baseUrl = config.BASE_URL ?? 'http://127.0.0.1';
  const slices = await createSlices({ config, secrets, database, logger, baseUrl });
  stack.defer(() => closeSlices(slices.list));
  return await work(slices);
}

async function openDatabase(
  config: Config,
  logger: Logger,
  stack: AsyncDisposableStack,
): Promise<{ database: Database; secrets: LocalSecrets }> {
  const { urls, secrets } = await prepareDatabase(config, logger, stack, { attach: true });
  const database = connectTo(urls, config, logger);
  stack.defer(() => database.close());
  return { database, secrets };
}

/** Starts or finds the database and brings it up to date, where its owner's login is at hand. */
async function prepareDatabase(
  config: Config,
  logger: Logger,
  stack: AsyncDisposableStack,
  options: { attach?: boolean } = {},
) {
  const isHere = config.DB_URL !== undefined || readLocalSecrets(config.DATA_DIR) !== undefined;
  if (options.attach && !isHere) throw new NoDatabase(config.DATA_DIR);
  const secrets = openLocalSecrets(config.DATA_DIR);
  const report = {
    log: (message: string): void => logger.info(message),
    warn: (message: string): void => logger.warn(message),
  };
  const { promise: failed, resolve: fail } = Promise.withResolvers<Error>();
  if (config.DB_URL !== undefined) {
    const urls = externalUrls(config);
    if (config.DB_OWNER_URL !== undefined) await migrateDatabase(config, report);
    refuse(await checkLogins(urls));
    return { secrets, urls, failed };
  }
  const server = await startEmbedded({
    dataDir: config.DATA_DIR,
    secrets: passwordsOf(secrets),
    onExit: fail,
    onRestart: (err) => logger.error({ err }, 'the embedded database was started again'),
    attach: options.attach ?? false,
    create: !options.attach,
  });
  stack.defer(() => server.stop());
  if (!server.attached) await migrate(server.ownerUrl, { logins: server.urls, afterwards: migrateJobs, ...report });
  return { secrets, urls: server.urls, failed };
}

function refuse(sentence: string | undefined): void {
  if (sentence !== undefined) throw new WrongSetting(sentence);
}

/** Between us and a database of our own there is no pooler. */
function connectTo(urls: DatabaseUrls, config: Config, logger: Logger): Database {
  const prepare = config.DB_URL === undefined || config.DB_PREPARED_STATEMENTS;
  return connectDatabase(urls, { prepare, onError: (err) => logger.warn({ err }, 'a database connection broke') });
}

function externalUrls(config: Config): DatabaseUrls {
  const { DB_URL: url, DB_SERVICE_ROLE_KEY: key, DB_ASSISTANT_KEY: assistant } = config;
  return {
    authenticator: url!,
    service: serviceUrl(url!, key!),
    assistant: assistant && serviceUrl(url!, assistant, ASSISTANT_LOGIN),
  };
}

function passwordsOf(secrets: LocalSecrets): { authenticator: string; service: string; assistant: string } {
  return {
    authenticator: secrets.db_authenticator_password,
    service: secrets.db_service_role_key,
    assistant: secrets.db_assistant_key,
  };
}

/** How a person on this machine would reach the host: "every interface" is no address. */
function hostForUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
