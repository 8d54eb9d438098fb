import pg from 'pg';
import { isOf0_1_0, WAY_FROM_0_1_0 } from './backup/adapt-0.1.0.ts';
import { checkClient } from './own-client.ts';
import type { DatabaseUrls } from './connect.ts';
import { appliedMigrations, pendingMigrations } from './migrate.ts';
import { SERVICE_LOGIN } from './service-url.ts';

const RUNBOOK = 'docs/how-to/external-database.md';

const LOGIN = 'hold a login with its password that the server lets in';
const SERVICE_PASSWORD = `be the password of the login "${SERVICE_LOGIN}"`;

/** Looks at a connected login; returns what its setting must do instead, as the end of a sentence. */
type Judge = (client: pg.Client) => Promise<string | undefined>;

/**
 * Looks, before anything is served, whether both logins are let in, have the rights that the service relies on and no
 * more, and miss no migration. Returns one sentence that names the wrong setting, or `undefined`; throws where the
 * server is away.
 */
export async function checkLogins(urls: DatabaseUrls): Promise<string | undefined> {
  return (
    (await check('DB_URL', LOGIN, urls.authenticator, judgeMemberLogin)) ??
    (await check('DB_SERVICE_ROLE_KEY', SERVICE_PASSWORD, urls.service, judgeServiceLogin)) ??
    (await check('DB_URL', LOGIN, urls.service, judgeMigrations))
  );
}

/** The same for the owner, who must only be let in. */
export const checkOwner = (ownerUrl: string): Promise<string | undefined> =>
  check('DB_OWNER_URL', LOGIN, ownerUrl, async () => undefined);

async function check(
  setting: string,
  wanted: string,
  connectionString: string,
  judge: Judge,
): Promise<string | undefined> {
  await using client = checkClient(connectionString);
  const must = await client.connect().then(
    () => judge(client),
    (error: Error) => refusalOf(error, wanted),
  );
  return must && `The setting ${setting} must ${must}.`;
}

/** The server's refusal of a login for good; what passes by itself (it starts, it is full, it is away) is thrown. */
function refusalOf(error: Error & { code?: string }, wanted: string): string {
  const { message, code = '' } = error;
  if (code === '3D000') return `name a database that exists (${message})`;
  const isWrong = /^SASL: .*password/.test(message) || (error instanceof pg.DatabaseError && !/^5[37]/.test(code));
  if (!isWrong) throw error;
  return `${wanted}, which "tally migrate" makes where it is missing (${message})`;
}

const judgeMemberLogin: Judge = async (client) => {
  const { rows } = await client.query<{ name: string; unlimited: boolean }>(
    'select rolname as name, rolsuper or rolbypassrls as unlimited from pg_roles where rolname = session_user',
  );
  const { name, unlimited } = rows[0]!;
  if (unlimited)
    return `hold a login that is no superuser and is bound by row-level security, unlike "${name}"; see ${RUNBOOK}`;
  try {
    await client.query('begin; set local role anon; set local role authenticated; rollback');
    return undefined;
  } catch (error) {
    const { code } = error as { code?: string };
    // The roles are missing: so are the migrations.
    if (code === '22023') return undefined;
    if (code !== '42501') throw error;
    return `hold a login that may become "anon" and "authenticated", which "${name}" may not; see ${RUNBOOK}`;
  }
};

const judgeServiceLogin: Judge = async (client) => {
  const { rows } = await client.query<{ name: string; role: string; lacks: boolean }>(
    `select session_user as name, current_user as role,
            exists (select from pg_roles r where r.rolname = 'authenticated'
                     and not pg_has_role(session_user, r.oid, 'member')) as lacks`,
  );
  const { name, role, lacks } = rows[0]!;
  if (role !== 'service_role')
    return `belong to a login that begins as "service_role": run alter role "${name}" set role = 'service_role'`;
  return lacks ? `belong to a login that may become "authenticated": run grant authenticated to "${name}"` : undefined;
};

const judgeMigrations: Judge = async (client) => {
  const sql = { query: async <Row>(text: string): Promise<Row[]> => (await client.query(text)).rows };
  if (isOf0_1_0(await appliedMigrations(sql)))
    return `name a database of this version, and it is of version 0.1.0: ${WAY_FROM_0_1_0}`;
  const [first, ...others] = await pendingMigrations(sql);
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return first && `name a database that is up to date, and it lacks ${first}${more}: run "tally migrate"`;
};
