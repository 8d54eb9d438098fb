import type { Logger } from 'pino';
import type { RateLimiter } from '../../platform/http/rate-limit.ts';
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
  | 'second_factor_off';

/**
 * A mail to the user of an account. A job holds no address and no code. `userId` is null after a request for an unknown
 * address, which takes the same steps and sends nothing. `formerEmail` is the recipient of a notice about its
 * replacement.
 */
type AccountMail =
  | { kind: 'reset_password'; userId: string | null }
  | { kind: 'verify_email' | 'change_email' | 'email_change_requested' | NoticeKind; userId: string }
  | { kind: 'email_changed'; userId: string; formerEmail: string };

export const SEND_ACCOUNT_MAIL = 'send-account-mail' as TaskName<AccountMail>;

/** Returns whether a stranger may have caused the mail, with an account or a change to an address of somebody else. */
const mayBeFromStranger = ({ kind }: AccountMail, { email_verified_at: verifiedAt }: UserRow): boolean =>
  kind === 'change_email' || kind === 'email_changed' || (kind !== 'reset_password' && verifiedAt === null);

/** Attempts of one mail, over about an hour. A later mail would carry a request that nobody remembers. */
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

interface AccountMailDependencies {
  sql: ServiceSql;
  mailer: Mailer;
  /** Mails that a recipient gets, by address in lower case. */
  limits: {
    all: RateLimiter;
    /** Mails that strangers may have caused. They are fewer, so that they leave room for the owner's reset link. */
    fromStrangers: RateLimiter;
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
  /** Returns the seconds until the recipient may get this mail, or 0 if it is counted and may be sent. */
  const consume = async (mail: AccountMail, user: UserRow, to: string): Promise<number> => {
    for (const limiter of mayBeFromStranger(mail, user) ? [limits.fromStrangers, limits.all] : [limits.all]) {
      const result = await limiter.consume(to.toLowerCase());
      if (!result.ok) return result.retryAfter;
    }
    return 0;
  };
  return async (mail: AccountMail, { jobId, attempt, maxAttempts }: TaskHelpers): Promise<void> => {
    const user = mail.userId === null ? undefined : await findUser(sql, mail.userId);
    const text =
      user &&
      (await prepareMail({ sql, origin }, mail, user).catch(async (error: unknown) => {
        // A link cannot be stored for a user who was deleted in between.
        if (await findUser(sql, user.id)) throw error;
        return undefined;
      }));
    if (!text) return;
    const { to, ...content } = text;
    const waitSeconds = attempt === 1 ? await consume(mail, user, to) : 0;
    if (waitSeconds > 0) {
      const runAt = new Date(Date.now() + waitSeconds * 1000);
      await addJobInTransaction(sql, SEND_ACCOUNT_MAIL, mail, { ...JOB, runAt, key: JSON.stringify(mail) });
      logger?.info(
        { kind: mail.kind, userId: mail.userId, waitSeconds },
        'recipient has too many mails; this one waits',
      );
      return;
    }
    try {
      await mailer.send({ to, ...writeAccountMail(content), id: `${mail.kind}-${jobId}` });
    } catch (error) {
      if (attempt < maxAttempts) throw error;
      logger?.error({ err: error, kind: mail.kind, userId: mail.userId }, 'gave up sending a mail; is SMTP_URL right?');
    }
  };
}

/** Returns the recipient and the values of a mail, with a new link. Returns `undefined` if it is no longer wanted. */
async function prepareMail(
  { sql, origin }: Pick<AccountMailDependencies, 'sql' | 'origin'>,
  mail: AccountMail,
  user: UserRow,
): Promise<(AccountMailText & { to: string }) | undefined> {
  const createUrl = async (purpose: LinkRow['purpose'], email: string): Promise<string> =>
    toLinkUrl(origin, purpose, await createLinkCode(sql, { user_id: user.id, purpose, email }));
  switch (mail.kind) {
    case 'reset_password':
      if (user.password_hash === null) return undefined;
      return { kind: mail.kind, to: user.email, url: await createUrl('reset_password', user.email) };
    case 'verify_email':
      if (user.email_verified_at !== null) return undefined;
      return { kind: mail.kind, to: user.email, url: await createUrl('verify_email', user.email) };
    case 'change_email':
      if (user.new_email === null) return undefined;
      return { kind: mail.kind, to: user.new_email, url: await createUrl('change_email', user.new_email) };
    case 'email_change_requested':
      if (user.new_email === null) return undefined;
      return {
        kind: mail.kind,
        to: user.email,
        email: user.new_email,
        url: await createUrl('stop_email_change', user.email),
      };
    case 'password_changed':
    case 'password_reset':
    case 'passkey_added':
    case 'passkey_removed':
    case 'second_factor_on':
    case 'second_factor_off':
      return { kind: mail.kind, to: user.email, url: `${origin}/forgot-password` };
    case 'email_changed':
      return { kind: mail.kind, to: mail.formerEmail, email: user.email };
  }
}
