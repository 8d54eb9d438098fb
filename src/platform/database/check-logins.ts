import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { isOf0_1_0, UPGRADE_HINT_0_1_0 } from './version-0.1.0.ts';
import { isRestoreUnfinished, UNFINISHED_RESTORE_HINT } from './backup/restore-progress.ts';
import { type DatabaseIdentity, readIdentity } from './database-identity.ts';
import { createCheckClient, toSql } from './disposable-client.ts';
import type { DatabaseUrls } from './connect.ts';
import { listAppliedMigrations, listPendingMigrations } from './migrate.ts';
import { findNewerMinimum, ROLLBACK_HINT } from './minimum-version.ts';
import { ASSISTANT_LOGIN, SERVICE_LOGIN } from './service-url.ts';
import { findTlsRequirement } from './tls-errors.ts';

const RUNBOOK = 'docs/how-to/external-database.md';

const MIGRATE_HINT = '; "tally migrate" creates a missing login';
const OWNER_REQUIREMENT = 'name a login and password that the server accepts';
const LOGIN_REQUIREMENT = OWNER_REQUIREMENT + MIGRATE_HINT;
const SERVICE_PASSWORD_REQUIREMENT = `be the password of the login "${SERVICE_LOGIN}"${MIGRATE_HINT}`;
const ASSISTANT_PASSWORD_REQUIREMENT = `be the password of the login "${ASSISTANT_LOGIN}"${MIGRATE_HINT}`;

/** Checks a connected login. Returns the requirement that its setting violates, as the end of a sentence, if any. */
type LoginCheck = (client: pg.Client) => Promise<string | undefined>;

/** Check of a server with one login. */
export interface ServerCheck {
  /** Setting of the login, with the server's address if the setting names several. */
  login: string;
  /** Returns a sentence that names the wrong setting, if any. Throws `UnreachableServer` without a response. */
  check(): Promise<string | undefined>;
}

/**
 * Checks the logins before the service starts: connection, required privileges, no excess privileges, and migrations.
 * Returns one sentence that names the wrong setting, or `undefined`. Throws `UnreachableServer` if a server is
 * unavailable.
 */
export async function checkLogins(urls: DatabaseUrls): Promise<string | undefined> {
  for (const { check } of listLoginChecks(urls)) {
    const problem = await check();
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Returns the checks in the order of `checkLogins`. */
export function listLoginChecks(urls: DatabaseUrls): readonly ServerCheck[] {
  const { authenticator, service, assistant, worker } = urls;
  const checks = [
    { login: 'DB_URL', check: () => checkSetting('DB_URL', LOGIN_REQUIREMENT, authenticator, checkMemberLogin) },
    {
      login: 'DB_SERVICE_ROLE_KEY',
      check: () => checkSetting('DB_SERVICE_ROLE_KEY', SERVICE_PASSWORD_REQUIREMENT, service, checkServiceLogin),
    },
    // The service's login reads the state of the database, which DB_URL names.
    {
      login: 'DB_SERVICE_ROLE_KEY',
      check: () => checkSetting('DB_URL', LOGIN_REQUIREMENT, service, checkUnfinishedRestore),
    },
    { login: 'DB_SERVICE_ROLE_KEY', check: () => checkSetting('DB_URL', LOGIN_REQUIREMENT, service, checkMigrations) },
  ];
  if (assistant)
    checks.push({
      login: 'DB_ASSISTANT_KEY',
      check: () => checkSetting('DB_ASSISTANT_KEY', ASSISTANT_PASSWORD_REQUIREMENT, assistant, acceptAnyLogin),
    });
  if (worker) checks.push({ login: 'DB_WORKER_URL', check: () => checkWorkerUrl(service, worker) });
  return checks;
}

/** Thrown if the server of a setting does not respond. The caller's message names the setting. */
export class UnreachableServer extends Error {
  override readonly name = 'UnreachableServer';
  readonly setting: string;
  readonly code: string | undefined;

  constructor(setting: string, cause: Error & { code?: string }) {
    super(cause.message, { cause });
    this.setting = setting;
    this.code = cause.code;
  }
}

const acceptAnyLogin: LoginCheck = async () => undefined;

/** Checks that the worker's URL leads to the database of DB_URL, since jobs elsewhere would never be done. */
async function checkWorkerUrl(serviceUrl: string, workerUrl: string): Promise<string | undefined> {
  await using client = createCheckClient(serviceUrl);
  await client.connect();
  const database = await readIdentity(client);
  return await checkSetting('DB_WORKER_URL', LOGIN_REQUIREMENT, workerUrl, (worker) => checkIdentity(worker, database));
}

/** Returns what DB_WORKER_URL violates if the client is connected to another database. */
const checkIdentity = async (client: pg.Client, database: DatabaseIdentity): Promise<string | undefined> =>
  isDeepStrictEqual(await readIdentity(client), database)
    ? undefined
    : 'name the database of DB_URL, and it names another';

/** Checks the owner's login before migrations: connection, privileges, and no unfinished restore. */
export const checkOwner = (ownerUrl: string): Promise<string | undefined> =>
  checkSetting(
    'DB_OWNER_URL',
    OWNER_REQUIREMENT,
    ownerUrl,
    async (client) => (await checkUnfinishedRestore(client)) ?? checkOwnerPrivileges(client),
  );

/** Checks the owner's login before a restore, which may continue an unfinished one. */
export const checkRestoreOwner = (ownerUrl: string): Promise<string | undefined> =>
  checkSetting('DB_OWNER_URL', OWNER_REQUIREMENT, ownerUrl, checkOwnerPrivileges);

/**
 * Connects with a URL and checks the login. Returns a sentence that names the wrong setting, with `requirement` if the
 * server rejects the login. Throws `UnreachableServer` if the server is unavailable.
 */
export async function checkSetting(
  setting: string,
  requirement: string,
  connectionString: string,
  checkLogin: LoginCheck,
): Promise<string | undefined> {
  // A key is the password for the server that DB_URL names.
  const addressSetting = setting.endsWith('_KEY') ? 'DB_URL' : setting;
  await using client = createCheckClient(connectionString);
  try {
    await client.connect();
  } catch (thrown) {
    const error = thrown as Error & { code?: string };
    const addressRequirement = findAddressRequirement(error);
    if (addressRequirement !== undefined) return toSentence(addressSetting, addressRequirement);
    if (isTemporary(error)) throw new UnreachableServer(addressSetting, error);
    return toSentence(setting, `${requirement} (${error.message})`);
  }
  const unmetRequirement = await checkLogin(client);
  return unmetRequirement && toSentence(setting, unmetRequirement);
}

/** Returns the sentence about a setting that violates a requirement. */
export const toSentence = (setting: string, requirement: string): string =>
  `The setting ${setting} must ${requirement}.`;

/** Returns the requirement that the address of a server or database violates, or undefined for another error. */
function findAddressRequirement(error: Error & { code?: string }): string | undefined {
  const tlsRequirement = findTlsRequirement(error, 'DB_SSLROOTCERT');
  if (tlsRequirement !== undefined) return tlsRequirement;
  return error.code === '3D000' ? `name an existing database (${error.message})` : undefined;
}

/** Returns whether a failed connection may succeed later: the server is starting, full or unavailable. */
function isTemporary(error: Error & { code?: string }): boolean {
  const isPasswordProblem = /^SASL: .*password/.test(error.message);
  return !isPasswordProblem && !(error instanceof pg.DatabaseError && !/^5[37]/.test(error.code ?? ''));
}

/** Checks that the login obeys row-level security and may become the roles of visitors and members. */
export const checkMemberLogin: LoginCheck = async (client) => {
  const { rows } = await client.query<{ name: string; unlimited: boolean }>(
    'select rolname as name, rolsuper or rolbypassrls as unlimited from pg_roles where rolname = session_user',
  );
  const { name, unlimited } = rows[0]!;
  if (unlimited)
    return `name a login that is no superuser and obeys row-level security, unlike "${name}"; see ${RUNBOOK}`;
  try {
    await client.query('begin; set local role anon; set local role authenticated; rollback');
    return undefined;
  } catch (error) {
    const { code } = error as { code?: string };
    // If the roles are missing, the migrations are missing too.
    if (code === '22023') return undefined;
    if (code !== '42501') throw error;
    return `name a login that may become "anon" and "authenticated", which "${name}" may not; see ${RUNBOOK}`;
  }
};

/** Checks that the login starts as `service_role` and may become the role of members. */
const checkServiceLogin: LoginCheck = async (client) => {
  const { rows } = await client.query<
    Record<'name' | 'role', string> & Record<'lacks_role' | 'lacks_membership', boolean>
  >(
    `select session_user as name, current_user as role,
            exists (select from pg_roles r where r.rolname = 'service_role'
                     and not pg_has_role(session_user, r.oid, 'member')) as lacks_role,
            exists (select from pg_roles r where r.rolname = 'authenticated'
                     and not pg_has_role(session_user, r.oid, 'member')) as lacks_membership`,
  );
  const { name, role, lacks_role: lacksRole, lacks_membership: lacksMembership } = rows[0]!;
  if (lacksRole) return `belong to a login that may become "service_role": run grant service_role to "${name}"`;
  if (role !== 'service_role')
    return `belong to a login whose default role is "service_role": run alter role "${name}" set role = 'service_role'`;
  return lacksMembership
    ? `belong to a login that may become "authenticated": run grant authenticated to "${name}"`
    : undefined;
};

/** Checks that the owner may create our schema, and roles if one is missing. */
const checkOwnerPrivileges: LoginCheck = async (client) => {
  const { rows } = await client.query<Record<'login' | 'database', string> & Record<'creates' | 'roles', boolean>>(`
    select session_user as login, current_database() as database,
           has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as creates,
           (select rolsuper or rolcreaterole from pg_roles where rolname = session_user)
             or (select count(*) = 7 from pg_roles where rolname in ('anon', 'authenticated', 'service_role', 'assistant',
                 'authenticator', 'service_authenticator', 'assistant_authenticator')) as roles`);
  const { login, database, creates, roles } = rows[0]!;
  if (!creates)
    return `name the owner of the database: run alter database "${database}" owner to "${login}"; see ${RUNBOOK}`;
  return roles
    ? undefined
    : `name a login that may create roles, or an administrator runs deploy/postgresql/roles.sql; see ${RUNBOOK}`;
};

const checkUnfinishedRestore: LoginCheck = async (client) =>
  (await isRestoreUnfinished(toSql(client)))
    ? `name another database, since the restore of this one has not finished: ${UNFINISHED_RESTORE_HINT}`
    : undefined;

/** Checks that the database has every migration of this version and needs no newer version. */
const checkMigrations: LoginCheck = async (client) => {
  const sql = toSql(client);
  if (isOf0_1_0(await listAppliedMigrations(sql)))
    return `name a database of this version, but it is of version 0.1.0: ${UPGRADE_HINT_0_1_0}`;
  const [first, ...others] = await listPendingMigrations(sql);
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  if (first) return `name a database that is up to date, but it lacks ${first}${more}: run "tally migrate"`;
  const minimum = await findNewerMinimum(sql);
  return minimum && `name a database of this version, but it needs Tally ${minimum} or newer: ${ROLLBACK_HINT}`;
};
