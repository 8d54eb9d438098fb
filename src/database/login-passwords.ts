import type pg from 'pg';
import type { DatabaseUrls } from './connect.ts';

/** Gives the logins that the roles migration made (it marks them by a comment) the passwords of the settings. */
export async function syncLoginPasswords(owner: pg.Client, urls: DatabaseUrls): Promise<void> {
  for (const { user, password } of [urls.authenticator, urls.service, urls.assistant ?? ''].map(loginOf)) {
    if (!user || !password) continue;
    const { rows } = await owner.query<{ ours: boolean }>(
      `select shobj_description(oid, 'pg_authid') = 'login of tally' as ours from pg_roles where rolname = $1`,
      [user],
    );
    if (rows[0]?.ours)
      await owner.query(`alter role ${owner.escapeIdentifier(user)} password ${owner.escapeLiteral(password)}`);
  }
}

function loginOf(url: string): { user: string; password: string } {
  const [, user = '', password = ''] = /^\w+:\/\/([^:@/]*)(?::([^@/]*))?@/.exec(url) ?? [];
  return { user: decodeURIComponent(user), password: decodeURIComponent(password) };
}
