import {
  type Check,
  explainRefusedConnection,
  type Finding,
  listDatabaseChecks,
  listServiceChecks,
  runChecks,
} from './check-installation.ts';
import { type Config, LOOPBACK, listSettingWarnings } from '../config/load-config.ts';
import { getConnectionKeys, type MarketUrls } from '../config/provider-settings.ts';
import {
  assertSecretsMatchDatabase,
  assertSharedSecretsReadable,
  getLoginPasswords,
  readLocalSecrets,
} from './local-secrets.ts';
import { assertSecretsOpenDatabase, getExternalUrls } from './open-database.ts';
import { checkOwner, listLoginChecks, type ServerCheck } from '../platform/database/check-logins.ts';
import { canAssistantSetClaims } from '../platform/database/assistant-rights.ts';
import { isTransactionPooled } from '../platform/database/check-pooler.ts';
import { listReadServerChecks } from '../platform/database/check-read-servers.ts';
import { connectDatabase, type DatabaseUrls } from '../platform/database/connect.ts';
import {
  assertDataDirectoryUsable,
  DataDirectoryError,
  isRestoreUnfinishedIn,
} from '../platform/database/data-directory.ts';
import { readTlsVersion } from '../platform/database/database-identity.ts';
import { createCheckClient, toSql } from '../platform/database/disposable-client.ts';
import { withEmbedded } from '../platform/database/embedded.ts';
import type { ServiceSql } from '../platform/database/roles.ts';

/**
 * Checks the settings and everything that an installation depends on, at once. It changes nothing and applies no
 * migration. `problems` are the wrong settings, for which `config` has the defaults.
 */
export async function examineInstallation(
  config: Config,
  problems: ReadonlyMap<string, string>,
  urls: MarketUrls = {},
): Promise<readonly Finding[]> {
  const [database, services] = await Promise.all([
    examineDatabase(config, problems),
    runChecks(listServiceChecks(config, urls)),
  ]);
  return [...describeSettings(problems), ...database, ...services];
}

function describeSettings(problems: ReadonlyMap<string, string>): Finding[] {
  const findings: Finding[] = [...problems].map(([name, problem]) => ({
    name: 'settings',
    state: 'wrong',
    message: `The setting ${name} ${problem}.`,
  }));
  for (const message of listSettingWarnings())
    findings.push({ name: 'settings', state: 'warning', message: `${message[0]!.toUpperCase()}${message.slice(1)}` });
  return findings.length > 0 ? findings : [{ name: 'settings', state: 'ok', message: 'All settings are valid.' }];
}

const DATABASE_SETTINGS = ['DB_URL', 'DB_SERVICE_ROLE_KEY', 'DB_SSLMODE', 'DB_SSLROOTCERT'];

async function examineDatabase(config: Config, problems: ReadonlyMap<string, string>): Promise<readonly Finding[]> {
  const wrongSettings = DATABASE_SETTINGS.filter((name) => problems.has(name));
  if (wrongSettings.length > 0)
    return [{ name: 'database', state: 'wrong', message: `Not checked: correct ${wrongSettings.join(', ')} first.` }];
  if (config.DB_URL !== undefined) {
    const urls = getExternalUrls(config);
    const logins = await runChecks([...listExternalChecks(config, urls)]);
    return [...logins, ...(await examineContent(urls, config, undefined))];
  }
  return await examineEmbedded(config);
}

async function examineEmbedded(config: Config): Promise<readonly Finding[]> {
  const { DATA_DIR: dataDir } = config;
  try {
    if (isRestoreUnfinishedIn(dataDir)) return [{ name: 'database', state: 'wrong', message: RESTORE_UNFINISHED }];
    assertSecretsMatchDatabase(dataDir);
    const secrets = readLocalSecrets(dataDir);
    if (!secrets) {
      assertDataDirectoryUsable(dataDir);
      return [{ name: 'database', state: 'warning', message: NO_DATABASE }];
    }
    const options = { dataDir, secrets: getLoginPasswords(secrets), attach: true, create: false };
    return await withEmbedded(options, async ({ urls, attached }) => {
      await assertSecretsOpenDatabase(dataDir, urls);
      return [
        {
          name: 'database',
          state: 'ok',
          message: `Embedded, ${attached ? 'running' : 'not running, started to check it'}.`,
        },
        ...(await examineContent(urls, config, secrets.connections_key)),
      ];
    });
  } catch (error) {
    return [{ name: 'database', state: 'wrong', message: (error as Error).message }];
  }
}

const RESTORE_UNFINISHED =
  'The restore into DATA_DIR has not finished: run "tally restore" again, or remove the folder.';
const NO_DATABASE =
  'DATA_DIR has no database yet: run "tally start" to begin without members, or if you expect data, check that its ' +
  'volume is mounted, or set DATA_DIR or DB_URL.';

/** Runs the checks of what is in the database, and of DATA_DIR where a start reads it beside an external database. */
async function examineContent(urls: DatabaseUrls, config: Config, connectionsKey: string | undefined) {
  // DB_URL may be a transaction pooler, which keeps no prepared statements.
  const database = connectDatabase(urls, { serviceConnections: 2, memberConnections: 1, prepare: false });
  try {
    const keys = getConnectionKeys(config, { connections_key: connectionsKey });
    const folder = { name: 'data directory', run: () => checkDataDirectory(config.DATA_DIR, database.service) };
    return await runChecks([
      ...(config.DB_URL === undefined ? [] : [folder]),
      ...listDatabaseChecks(database.service, keys),
    ]);
  } finally {
    await database.close();
  }
}

async function checkDataDirectory(dataDir: string, sql: ServiceSql) {
  try {
    await assertSharedSecretsReadable(dataDir, sql);
    return { state: 'ok', message: 'No start needs a file of DATA_DIR that cannot be read.' } as const;
  } catch (error) {
    if (!(error instanceof DataDirectoryError)) throw error;
    return { state: 'wrong', message: error.message } as const;
  }
}

/** Returns the checks of logins, TLS, pooler, replica and read nodes of DB_URL. */
function listExternalChecks(config: Config, urls: DatabaseUrls): readonly Check[] {
  const logins: ServerCheck[] = [
    ...listLoginChecks(urls),
    ...listReadServerChecks(urls),
    ...(config.DB_OWNER_URL ? [{ login: 'DB_OWNER_URL', check: () => checkOwner(config.DB_OWNER_URL!) }] : []),
    ...(config.WORKER ? [{ login: 'DB_WORKER_URL', check: () => checkWorkerPooling(urls) }] : []),
  ];
  const checksByLogin = Map.groupBy(logins, ({ login }) => login);
  return [
    ...[...checksByLogin].map(([login, checks]): Check => ({
      name: `database ${login}`,
      run: () => runLoginChecks(checks),
    })),
    { name: 'database TLS', run: () => checkTls(urls) },
    ...(urls.assistant ? [{ name: "members' SQL", run: () => checkMembersSql(urls) }] : []),
  ];
}

const ACCEPTED = { state: 'ok', message: 'Accepted.' } as const;

/** Runs the checks of one login in their order and returns the first problem. */
async function runLoginChecks(checks: readonly ServerCheck[]) {
  try {
    for (const { check } of checks) {
      const problem = await check();
      if (problem !== undefined) return { state: 'wrong', message: problem } as const;
    }
    return ACCEPTED;
  } catch (error) {
    const refused = explainRefusedConnection(error);
    if (refused !== undefined) return refused;
    const { message, setting = 'DB_URL' } = error as Error & { setting?: string };
    const text = `The database cannot be reached (${message}): try again later, or check ${setting}.`;
    return { state: 'unavailable', message: text } as const;
  }
}

async function checkWorkerPooling({ service, worker }: DatabaseUrls): Promise<string | undefined> {
  return (await isTransactionPooled(worker ?? service))
    ? 'The setting DB_WORKER_URL must bypass the pooler, since the worker needs a connection of its own; see docs/how-to/external-database.md.'
    : undefined;
}

async function checkTls({ service }: DatabaseUrls) {
  await using client = createCheckClient(service);
  await client.connect();
  const version = await readTlsVersion(client);
  if (version !== null) return { state: 'ok', message: `The connection is encrypted with ${version}.` } as const;
  return LOOPBACK.test(client.host) || client.host.startsWith('/')
    ? ({ state: 'ok', message: 'Not encrypted, and the server is on this machine.' } as const)
    : ({ state: 'warning', message: 'The connection is not encrypted: set DB_SSLMODE to "verify-full".' } as const);
}

async function checkMembersSql({ service }: DatabaseUrls) {
  await using client = createCheckClient(service);
  await client.connect();
  return (await canAssistantSetClaims(toSql(client)))
    ? ({ state: 'warning', message: CLIENT_GUARDS_OPEN } as const)
    : ({ state: 'ok', message: 'The server itself keeps it from set_config().' } as const);
}

const CLIENT_GUARDS_OPEN =
  'Only the parser keeps it from set_config(), session locks and large objects: let a superuser run ' +
  'db/migrations/20260901_02_client_guards.sql in this database; see docs/how-to/external-database.md.';
