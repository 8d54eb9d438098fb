import { enqueueAccountMail, toMailbox } from './account-mail.ts';
import type { Browser } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { enforceRateLimit } from './limit-attempts.ts';
import { isReserved } from './own-account.ts';
import { providerErrors } from './provider-error.ts';
import { findUserByEmail } from './user-queries.ts';

/**
 * Enqueues a mail with a link that sets a new password. An unknown address (`email` in lower case) takes the same steps
 * and counts against the same limits, so that no response reveals an account.
 */
export async function requestPasswordReset(context: ProviderContext, email: string, browser: Browser): Promise<void> {
  if (!context.sendsMail) throw providerErrors.noMail();
  await enforceRateLimit(context.limits.mailAddress.consume(browser.address));
  // Counted apart from the links that strangers request to this address.
  await enforceRateLimit(context.limits.mailRecipient.consume(`reset ${toMailbox(email)}`));
  const user = await findUserByEmail(context.sql, email);
  const userId = user && !isReserved(context, user.id) ? user.id : null;
  await enqueueAccountMail(context.sql, context, { kind: 'reset_password', userId });
}
