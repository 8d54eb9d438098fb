import type { EventEmitter } from 'node:events';
import type pg from 'pg';
import type { DatabaseUrls } from './connect.ts';
import { createCheckClient } from './disposable-client.ts';
import { buildServiceUrl } from './service-url.ts';

/**
 * Sets the passwords of the settings on the logins that the roles migration created (marked by a comment). A password
 * that the server accepts is not set again, because its new hash would lock out a pooler that has a copy of the old one.
 * If the owner may not change a login of another owner, it warns which logins keep their password.
 */
export async function syncLoginPasswords(
  owner: pg.Client,
  ownerUrl: string,
  urls: DatabaseUrls,
  warn: (message: string) => void,
): Promise<void> {
  for (const { user, password } of [urls.authenticator, urls.service, urls.assistant ?? ''].map(parseLogin)) {
    if (!user || !password) continue;
    const { rows } = await owner.query<{ is_managed: boolean }>(
      `select shobj_description(oid, 'pg_authid') = 'login of tally' as is_managed from pg_roles where rolname = $1`,
      [user],
    );
    if (!rows[0]?.is_managed || (await hasPassword(buildServiceUrl(ownerUrl, password, user)))) continue;
    const name = owner.escapeIdentifier(user);
    await owner.query(`alter role ${name} password ${owner.escapeLiteral(password)}`).catch((error: unknown) => {
      if ((error as { code?: string }).code !== '42501') throw error;
      warn(`The login ${user} keeps the password that it has: this owner may not change it, but its creator can.`);
    });
  }
}

/** Returns whether the server compares the password of this login and accepts it. With `trust` it accepts any. */
async function hasPassword(url: string): Promise<boolean> {
  await using client = createCheckClient(url);
  let isCompared = false;
  const { connection } = client as unknown as { connection: EventEmitter };
  // The driver's own event of a completed comparison, which `trust` skips.
  connection.once('authenticationSASLFinal', () => {
    isCompared = true;
  });
  try {
    await client.connect();
    return isCompared;
  } catch {
    return false;
  }
}

function parseLogin(url: string): { user: string; password: string } {
  const [, user = '', password = ''] = /^\w+:\/\/([^:@/]*)(?::([^@/]*))?@/.exec(url) ?? [];
  return { user: decodeURIComponent(user), password: decodeURIComponent(password) };
}
