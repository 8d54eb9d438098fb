/**
 * `npm run dev [-- --inspect[=[host:]port]]` runs the whole service for development, on the data directory and address
 * of `npm start`. The browser applies changed screens without a reload, and the server restarts when one of its files
 * changes. This process owns the address and the embedded database, and the server is its child process, so the
 * database stays up across restarts. `--inspect` opens the server to a debugger.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ConfigError, loadConfig } from '../src/config/load-config.ts';
import { startEmbedded } from '../src/platform/database/embedded.ts';
import { listenWithErrorHint } from '../src/platform/http/listen.ts';
import { loadOrCreateLocalSecrets } from '../src/installation/local-secrets.ts';
import { createRequestListener } from './dev/answer-requests.ts';
import { superviseServer } from './dev/supervise-server.ts';
import { startVite } from './dev/start-vite.ts';

const { promise: ended, resolve: end } = Promise.withResolvers<Error | undefined>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(undefined));

const USAGE = 'usage: npm run dev [-- --inspect[=[host:]port]] runs the service and restarts it when a file changes.';

try {
  await run();
} catch (error) {
  console.error(`npm run dev: ${(error as Error).message}`);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}

async function run(): Promise<void> {
  const inspect = process.argv.slice(2);
  if (inspect.includes('--help')) {
    console.log(USAGE);
    return;
  }
  const unknownArgument = inspect.find((argument) => !/^--inspect(-brk|-wait)?(=[\w.:[\]]+)?$/.test(argument));
  if (unknownArgument !== undefined) throw new ConfigError(`accepts only --inspect, but got "${unknownArgument}".`);
  const config = loadConfig();
  await using stack = new AsyncDisposableStack();

  const database = config.DB_URL === undefined ? await startEmbeddedDatabase(config.DATA_DIR, stack) : {};
  const http = createServer();
  stack.defer(() => {
    http.close();
    http.closeAllConnections();
  });
  await listenWithErrorHint({ host: config.HOST, port: config.PORT }, async () => {
    http.listen(config.PORT, config.HOST);
    await once(http, 'listening');
  });
  const url = `http://${config.HOST}:${(http.address() as AddressInfo).port}`;

  const server = superviseServer({
    env: {
      HOST: '127.0.0.1',
      PORT: '0',
      BASE_URL: config.BASE_URL ?? url,
      // A cache of compiled code makes restarts faster.
      NODE_COMPILE_CACHE: 'node_modules/.cache/dev',
      ...database,
    },
    args: config.DB_URL === undefined ? ['--seed'] : [],
    inspect,
    log: (line) => console.log(line),
  });
  stack.defer(() => server.stop());
  const vite = await startVite({ http, onServerChange: (file) => server.restart(file) });
  stack.defer(() => vite.close());
  http.on('request', createRequestListener(vite, server));

  await server.url().catch((error: Error) => console.log(`${error.message}; it starts again when a file changes`));
  if (config.DB_URL === undefined) console.log(`people and keys: ${join(config.DATA_DIR, 'first-run.json')}`);
  console.log(`ready ${url}`);
  const failure = await ended;
  if (failure) throw failure;
}

/** Starts the embedded database for all starts of the server, and returns the settings by which the server reaches it. */
async function startEmbeddedDatabase(dataDir: string, stack: AsyncDisposableStack): Promise<Record<string, string>> {
  const secrets = loadOrCreateLocalSecrets(dataDir);
  const {
    db_authenticator_password: authenticator,
    db_service_role_key: service,
    db_assistant_key: assistant,
  } = secrets;
  const database = await startEmbedded({ dataDir, secrets: { authenticator, service, assistant }, onExit: end });
  stack.defer(() => database.stop());
  return {
    DB_URL: database.urls.authenticator,
    DB_OWNER_URL: database.ownerUrl,
    DB_SERVICE_ROLE_KEY: service,
    DB_ASSISTANT_KEY: assistant,
  };
}
