import type { ServiceSql } from '../../platform/database/roles.ts';
import { closeLink, findUsableLink, insertLink } from './link-queries.ts';
import { providerErrors } from './provider-error.ts';
import type { LinkRow } from './rows.ts';
import { createSecretCode, readSecretCode } from './secret-code.ts';

/**
 * Lifetime in seconds of a link by purpose. A mail may wait for a mail server, and a link is valid from its sending.
 */
const LIFETIME_SECONDS: Readonly<Record<LinkRow['purpose'], number>> = {
  reset_password: 3_600,
  operator_reset: 86_400,
  verify_email: 7 * 86_400,
  change_email: 86_400,
  // The mails are sent one after another, so it outlasts the link that it stops.
  stop_email_change: 2 * 86_400,
};

type NewLink = Pick<LinkRow, 'user_id' | 'purpose' | 'email'>;

/** Creates a link and returns its code, `<id>.<secret>`. Only the hash of the secret is stored. */
export async function createLinkCode(sql: ServiceSql, link: NewLink): Promise<string> {
  const { id, code, hash } = createSecretCode('link');
  await insertLink(sql, { ...link, id, code_hash: hash }, LIFETIME_SECONDS[link.purpose]);
  return code;
}

/** Returns the usable link with this code for one of the purposes. Throws if there is none. */
export async function findLinkByCode(
  sql: ServiceSql,
  code: string,
  purposes: readonly LinkRow['purpose'][],
): Promise<LinkRow> {
  const given = readSecretCode(code);
  const link = given && (await findUsableLink(sql, given.id));
  if (!link || !purposes.includes(link.purpose) || !given.matches(link.code_hash)) throw providerErrors.linkInvalid();
  return link;
}

/** Marks a link as used, in the transaction of its effect. Throws if another request was faster. */
export async function consumeLink(sql: ServiceSql, link: LinkRow): Promise<void> {
  if (!(await closeLink(sql, link.id))) throw providerErrors.linkInvalid();
}

const PAGES: Readonly<Record<LinkRow['purpose'], string>> = {
  reset_password: '/reset-password',
  operator_reset: '/reset-password',
  verify_email: '/verify-email',
  change_email: '/verify-email',
  stop_email_change: '/stop-email-change',
};

/**
 * Returns the address of a link. The code is in the fragment, which browsers send to no server, and takes effect only
 * when a button of the page is pressed. A mail scanner that opens the address cannot use it up.
 */
export const toLinkUrl = (origin: string, purpose: LinkRow['purpose'], code: string): string =>
  `${origin}${PAGES[purpose]}#code=${code}`;
