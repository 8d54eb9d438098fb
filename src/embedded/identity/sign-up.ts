import { enqueueAccountMail } from './account-mail.ts';
import { startSession, type StartedSession } from './start-session.ts';
import { type Browser, assertSignedOut } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { createUser } from './create-user.ts';
import { commitWithEvents } from './emit-event.ts';
import { acceptInvitation, findInvitation } from './invitations.ts';
import { countPasswordHash } from './limit-attempts.ts';
import { hashPassword } from './passwords.ts';
import { providerErrors } from './provider-error.ts';
import type { UserRow } from './rows.ts';
import { findUser, findUserByEmail, type Profile } from './user-queries.ts';

/**
 * Creates a user and signs it in, or rolls everything back. Uses up the invitation with this code. Throws the
 * provider's errors.
 */
export async function signUp(
  context: ProviderContext,
  { password, ...person }: Profile & { email: string; password: string },
  browser: Browser,
  invitationCode?: string,
): Promise<StartedSession & { user: UserRow }> {
  await assertSignedOut(context, browser);
  const invitation = await findInvitation(context, person.email, invitationCode);
  const password_hash = await hashPassword(password, await countPasswordHash(context, browser.address), {
    email: person.email,
    cost: context.passwordCost,
  });
  // The look-up follows the hash, so that the response time does not reveal whether the address exists.
  if (await findUserByEmail(context.sql, person.email)) throw providerErrors.identifierExists();
  // Strangers cannot make the service send mail without limit. The user may request the link later.
  const mayMail = (await context.limits.mailAddress.consume(browser.address)).ok;
  return commitWithEvents(context, async (sql) => {
    const user = await createUser(sql, context, { ...person, password_hash }, browser.device);
    if (!user) throw providerErrors.identifierExists();
    if (invitation) await acceptInvitation(sql, invitation);
    if (mayMail) await enqueueAccountMail(sql, context, { kind: 'verify_email', userId: user.id });
    const session = await startSession(sql, context, user.id, browser);
    return { ...session, user: (await findUser(sql, user.id))! };
  });
}
