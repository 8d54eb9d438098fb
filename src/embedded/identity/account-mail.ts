import type { Logger } from 'pino';
import type { FailureLimiter, RateLimitResult } from '../../platform/http/rate-limit.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { addJobInTransaction } from '../../platform/jobs/add-job.ts';
import type { TaskHelpers, TaskName } from '../../platform/jobs/task.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { type AccountMailText, writeAccountMail } from './account-mail-texts.ts';
import type { ProviderContext } from './context.ts';
import { createLinkCode, toLinkUrl } from './one-time-links.ts';
import type { LinkRow, UserRow } from './rows.ts';
import { findUser } from './user-queries.ts';

/** Notices without a link of their own. */
type NoticeKind =
  | 'password_changed'
  | 'password_reset'
  | 'passkey_added'
  | 'passkey_removed'
  | 'second_factor_on'
  | 'second_factor_off'
  | 'second_factor_reset';

/**
 * A mail to the user of an account. A job holds no code, and no address but the former one. `userId` is null after a
 * request for an unknown address, which takes the same steps and sends nothing. `formerEmail` is the recipient of a
 * notice about its replacement.
 */
type AccountMail =
  | { kind: 'reset_password'; userId: string | null }
  | { kind: 'verify_email' | 'change_email' | 'email_change_requested' | NoticeKind; userId: string }
  | { kind: 'email_changed'; userId: string; formerEmail: string };

export const SEND_ACCOUNT_MAIL = 'send-account-mail' as TaskName<AccountMail>;

/**
 * Returns whether the mail goes to an address that is not proved to be the member's, or no longer is. A reset link is
 * not counted, so that these mails leave room for it.
 */
const isToUnprovedAddress = ({ kind }: AccountMail, { email_verified_at: verifiedAt }: UserRow): boolean =>
  kind === 'change_email' || kind === 'email_changed' || (kind !== 'reset_password' && verifiedAt === null);

/** Attempts of one mail, over about 80 minutes. A later mail would carry a request that nobody remembers. */
const MAX_ATTEMPTS = 9;
/** One queue, so that a slow mail server delays no other work. */
const JOB = { queue: 'account-mail', maxAttempts: MAX_ATTEMPTS };

/** Enqueues a mail, in the transaction of its cause if there is one. Does nothing if the installation sends no mail. */
export async function enqueueAccountMail(
  sql: ServiceSql,
  { sendsMail }: Pick<ProviderContext, 'sendsMail'>,
  mail: AccountMail,
): Promise<void> {
  if (!sendsMail) return;
  await addJobInTransaction(sql, SEND_ACCOUNT_MAIL, mail, JOB);
}

/**
 * Returns the mailbox of an address, by which mails are limited: in lower case and without a tag, since most servers
 * deliver `ada+tag@example.com` to `ada@example.com`. Gmail ignores dots too, so one mailbox has thousands of addresses.
 */
export function toMailbox(address: string): string {
  const mailbox = address.toLowerCase().replace(/^([^+]+)\+.*(?=@)/, '$1');
  const name = /^(.+)@(?:gmail|googlemail)\.com$/.exec(mailbox)?.[1];
  return name === undefined ? mailbox : `${name.replaceAll('.', '')}@gmail.com`;
}

interface AccountMailDependencies {
  sql: ServiceSql;
  mailer: Mailer;
  /** Mails that a mailbox gets. */
  limits: {
    all: FailureLimiter;
    /** Mails to addresses that may be somebody else's. They are fewer, so that they leave room for a reset link. */
    toUnproved: FailureLimiter;
  };
  /** Origin of the links. */
  origin: string;
  logger?: Logger | undefined;
}

/**
 * Creates the task that sends a mail. Each attempt creates a link of its own, because a mail server may deliver a
 * message and still report a failure. The last failed attempt is logged and removed. A mail beyond the limits of its
 * recipient waits until they allow it, and equal ones wait as one. So no security notice is lost.
 */
export function createAccountMailTask({ sql, mailer, limits, origin, logger }: AccountMailDependencies) {
  /** Counts the mail for its recipient, unless a limit has none left. */
  const consume = async (mail: AccountMail, user: UserRow): Promise<RateLimitResult> => {
    const mailbox = toMailbox(getRecipient(mail, user));
    const limiters = isToUnprovedAddress(mail, user) ? [limits.toUnproved, limits.all] : [limits.all];
    // All are checked before one is consumed, so that a mail that waits uses nothing up.
    for (const limiter of limiters) {
      const result = await limiter.peek(mailbox);
      if (!result.ok) return result;
    }
    for (const limiter of limiters) await limiter.consume(mailbox);
    return { ok: true };
  };
  return async (mail: AccountMail, { jobId, attempt, maxAttempts }: TaskHelpers): Promise<void> => {
    const user = mail.userId === null ? undefined : await findUser(sql, mail.userId);
    if (!user || !isWanted(mail, user)) return;
    const limitResult = attempt === 1 ? await consume(mail, user) : undefined;
    if (limitResult?.ok === false) {
      const waitSeconds = limitResult.retryAfter;
      const runAt = new Date(Date.now() + waitSeconds * 1000);
      await addJobInTransaction(sql, SEND_ACCOUNT_MAIL, mail, { ...JOB, runAt, key: JSON.stringify(mail) });
      logger?.info(
        { kind: mail.kind, userId: mail.userId, waitSeconds },
        'recipient has too many mails; this one waits',
      );
      return;
    }
    const content = await prepareMail({ sql, origin }, mail, user).catch(async (error: unknown) => {
      // A link cannot be stored for a user who was deleted in between.
      if (await findUser(sql, user.id)) throw error;
      return undefined;
    });
    if (!content) return;
    const to = getRecipient(mail, user);
    try {
      await mailer.send({ to, ...writeAccountMail(content), id: `${mail.kind}-${jobId}` });
    } catch (error) {
      if (attempt < maxAttempts) throw error;
      logger?.error({ err: error, kind: mail.kind, userId: mail.userId }, 'gave up sending a mail; is SMTP_URL right?');
      return;
    }
    // The new address gets its link last, so that no change is confirmed before the current address was told of it.
    if (mail.kind === 'email_change_requested')
      await addJobInTransaction(sql, SEND_ACCOUNT_MAIL, { kind: 'change_email', userId: user.id }, JOB);
  };
}

/** Returns whether the reason of the mail still stands. */
function isWanted({ kind }: AccountMail, user: UserRow): boolean {
  if (kind === 'reset_password') return user.password_hash !== null;
  if (kind === 'verify_email') return user.email_verified_at === null;
  return (kind !== 'change_email' && kind !== 'email_change_requested') || user.new_email !== null;
}

/** Returns the address of a mail that is wanted. */
function getRecipient(mail: AccountMail, user: UserRow): string {
  if (mail.kind === 'email_changed') return mail.formerEmail;
  return mail.kind === 'change_email' ? user.new_email! : user.email;
}

/** Returns the values of a mail that is wanted, with a new link. */
async function prepareMail(
  { sql, origin }: Pick<AccountMailDependencies, 'sql' | 'origin'>,
  mail: AccountMail,
  user: UserRow,
): Promise<AccountMailText> {
  const createUrl = async (purpose: LinkRow['purpose'], email: string): Promise<string> =>
    toLinkUrl(origin, purpose, await createLinkCode(sql, { user_id: user.id, purpose, email }));
  switch (mail.kind) {
    case 'reset_password':
      return { kind: mail.kind, url: await createUrl('reset_password', user.email) };
    case 'verify_email':
      return { kind: mail.kind, url: await createUrl('verify_email', user.email) };
    case 'change_email':
      return { kind: mail.kind, url: await createUrl('change_email', user.new_email!) };
    case 'email_change_requested':
      return { kind: mail.kind, email: user.new_email!, url: await createUrl('stop_email_change', user.email) };
    case 'password_changed':
    case 'password_reset':
    case 'passkey_added':
    case 'passkey_removed':
    case 'second_factor_on':
    case 'second_factor_off':
    case 'second_factor_reset':
      return { kind: mail.kind, url: `${origin}/forgot-password` };
    case 'email_changed':
      return { kind: mail.kind, email: user.email };
  }
}
