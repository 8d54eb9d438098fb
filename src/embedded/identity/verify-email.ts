import type { ServiceSql } from '../../platform/database/roles.ts';
import { enqueueAccountMail } from './account-mail.ts';
import type { Device, ProviderContext } from './context.ts';
import { commitWithEvents, emitEvent } from './emit-event.ts';
import { closeLinks } from './link-queries.ts';
import { consumeLink, findLinkByCode } from './one-time-links.ts';
import { providerErrors } from './provider-error.ts';
import { toBackendUserResponse } from './responses.ts';
import type { LinkRow, UserRow } from './rows.ts';
import { adoptNewEmail, findUser, markEmailVerified } from './user-queries.ts';

/** Verifies the address of a link, which also replaces the user's address if the link is for a new one. */
export async function verifyEmailByLink(context: ProviderContext, code: string, device: Device): Promise<UserRow> {
  const link = await findLinkByCode(context.sql, code, ['verify_email', 'change_email']);
  return commitWithEvents(context, async (sql) => {
    await consumeLink(sql, link);
    const change = link.purpose === 'verify_email' ? verifyAddress : replaceAddress;
    const user = await change(sql, context, link);
    await emitEvent(sql, context, 'user.updated', toBackendUserResponse(user), device);
    return user;
  });
}

async function verifyAddress(sql: ServiceSql, _context: ProviderContext, link: LinkRow): Promise<UserRow> {
  const user = await markEmailVerified(sql, link.user_id, link.email);
  if (!user) throw providerErrors.linkInvalid();
  await closeLinks(sql, user.id, 'verify_email');
  return user;
}

async function replaceAddress(sql: ServiceSql, context: ProviderContext, link: LinkRow): Promise<UserRow> {
  const before = await findUser(sql, link.user_id);
  const user = await adoptNewEmail(sql, link.user_id, link.email);
  if (!before || !user) throw providerErrors.linkInvalid();
  // Links to the former address must open nothing.
  await closeLinks(sql, user.id, null);
  await enqueueAccountMail(sql, context, { kind: 'email_changed', userId: user.id, formerEmail: before.email });
  return user;
}
