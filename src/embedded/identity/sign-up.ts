import { beginSession, type BegunSession } from './begin-session.ts';
import { type Browser, refuseSecondSession } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { createUser } from './create-user.ts';
import { commit } from './emit-event.ts';
import { hashPassword } from './passwords.ts';
import { refusals } from './provider-error.ts';
import type { UserRow } from './rows.ts';
import { findUser, findUserByEmail, type Profile } from './user-queries.ts';

/** Makes a person and signs them in, or leaves nothing behind. Throws the provider's refusals. */
export async function signUp(
  context: ProviderContext,
  { password, ...person }: Profile & { email: string; password: string },
  browser: Browser,
): Promise<BegunSession & { user: UserRow }> {
  await refuseSecondSession(context, browser);
  const password_hash = await hashPassword(password, { email: person.email, cost: context.passwordCost });
  // Looked up after the hash, so that the time to answer tells no more than the answer itself.
  if (await findUserByEmail(context.sql, person.email)) throw refusals.identifierExists();
  return commit(context, async (sql) => {
    const user = await createUser(sql, context, { ...person, password_hash }, browser.device);
    if (!user) throw refusals.identifierExists();
    const session = await beginSession(sql, context, user.id, browser);
    return { ...session, user: (await findUser(sql, user.id))! };
  });
}
