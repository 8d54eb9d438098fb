import { beginSession, type BegunSession } from './begin-session.ts';
import { type Browser, refuseSecondSession } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { readTicket } from './issue-tokens.ts';
import { commit } from './emit-event.ts';
import { tryPassword } from './limit-attempts.ts';
import { refusals } from './provider-error.ts';
import { findTicket, settleTicket } from './ticket-queries.ts';
import { findUserByEmail, lockUser } from './user-queries.ts';

/** Signs in by password (`email` in lower case). Every failure answers alike, after the same work. */
export async function signInByPassword(
  context: ProviderContext,
  email: string,
  password: string,
  browser: Browser,
): Promise<BegunSession> {
  await refuseSecondSession(context, browser);
  const user = await findUserByEmail(context.sql, email);
  // Sessions of the demo account come from invitations alone.
  const mayUsePassword = user !== undefined && user.id !== context.accounts.demoAccountId;
  const hash = mayUsePassword ? user.password_hash : null;
  const isRight = await tryPassword(context, { browser, email, password, hash });
  if (!user || !isRight) throw refusals.credentialsIncorrect();
  return commit(context, async (sql) => {
    // A password that was changed or reset meanwhile begins no session.
    if ((await lockUser(sql, user.id))?.password_hash !== hash) throw refusals.credentialsIncorrect();
    return beginSession(sql, context, user.id, browser);
  });
}

/** Redeems a ticket: of concurrent callers exactly one gets a session; a ticket that begins none stays usable. */
export async function signInByTicket(
  context: ProviderContext,
  ticket: string,
  browser: Browser,
): Promise<BegunSession> {
  const id = await readTicket(context, ticket);
  if (id === undefined) throw refusals.ticketInvalid();
  await refuseSecondSession(context, browser);
  const begun = await commit(context, async (sql) => {
    const redeemed = await settleTicket(sql, id, 'accepted');
    return redeemed && beginSession(sql, context, redeemed.user_id, browser);
  });
  if (!begun) throw await whyUnusable(context, id);
  return begun;
}

async function whyUnusable(context: ProviderContext, id: string): Promise<Error> {
  const ticket = await findTicket(context.sql, id);
  switch (ticket?.status) {
    case 'accepted':
      return refusals.ticketUsed();
    case 'revoked':
      return refusals.ticketRevoked();
    case 'expired':
    case 'pending':
      return refusals.ticketUnusable();
    case undefined:
      return refusals.ticketInvalid();
  }
}
