import type { ServiceSql } from '../../platform/database/roles.ts';
import { revokeKeysAndTokens } from '../../platform/identity/queries.ts';
import { deleteWaitingJobs } from '../../platform/jobs/queries.ts';
import { type AccountEventName, type Credential, CREDENTIALS, getEffect } from './account-events.ts';
import { SEND_ACCOUNT_MAIL } from './account-mail.ts';
import type { Device, ProviderContext } from './context.ts';
import { endOtherSessions } from './end-session.ts';
import { closeLinks } from './link-queries.ts';
import { deleteChallenges, deletePasskeys } from './passkey-queries.ts';
import type { UserRow } from './rows.ts';
import { deletePendingSignIns, deleteRecoveryCodes, deleteTotp } from './second-factor-queries.ts';
import { deleteOtherDevices } from './session-queries.ts';
import { lockPendingTickets, revokePendingTickets } from './ticket-queries.ts';
import { lockUser, setNewEmail } from './user-queries.ts';

/** A revocation of one user. `except` is the browser that makes the change, which stays signed in. */
interface Revocation {
  userId: string;
  device: Device;
  except?: { sessionId: string; clientId: string } | undefined;
}

type EndCredential = (
  sql: ServiceSql,
  context: Pick<ProviderContext, 'keys'>,
  revocation: Revocation,
) => Promise<unknown>;

/** Credentials that other events than the deletion of the account end. */
type EndedCredential = {
  [Name in Credential]: (typeof CREDENTIALS)[Name] extends { staysBecause: string } ? never : Name;
}[Credential];

/** Functions that end every credential of a kind. */
const END: Readonly<Record<EndedCredential, EndCredential>> = {
  // The operation has replaced it.
  password: async () => undefined,
  sessions: (sql, context, { userId, device, except }) =>
    endOtherSessions(sql, context, userId, except?.sessionId ?? null, device),
  tickets: (sql, _context, { userId }) => revokePendingTickets(sql, userId),
  keys_and_tokens: (sql, _context, { userId }) => revokeKeysAndTokens(sql, userId),
  passkeys: (sql, _context, { userId }) => deletePasskeys(sql, userId),
  passkey_challenges: (sql, _context, { userId }) => deleteChallenges(sql, userId),
  app: (sql, _context, { userId }) => deleteTotp(sql, userId),
  recovery_codes: (sql, _context, { userId }) => deleteRecoveryCodes(sql, userId),
  known_browsers: (sql, _context, { userId, except }) => deleteOtherDevices(sql, userId, except?.clientId ?? null),
  pending_sign_ins: (sql, _context, { userId }) => deletePendingSignIns(sql, userId),
  async reset_links(sql, _context, { userId }) {
    await closeLinks(sql, userId, CREDENTIALS.reset_links.linkPurposes);
    await deleteWaitingMails(sql, userId, 'reset_password');
  },
  async confirmation_links(sql, _context, { userId }) {
    await closeLinks(sql, userId, CREDENTIALS.confirmation_links.linkPurposes);
    await deleteWaitingMails(sql, userId, 'verify_email');
  },
  address_change: (sql, _context, { userId }) => cancelAddressChange(sql, userId),
};

/**
 * Locks the tickets and then the row of a user until the transaction ends, in the order of a sign-in by ticket.
 * Whatever creates a credential that an event ends takes this lock too, or waits for it because its row refers to the
 * user's. Returns `undefined` if there is no such user.
 */
export async function lockCredentials(sql: ServiceSql, userId: string): Promise<UserRow | undefined> {
  await lockPendingTickets(sql, userId);
  return lockUser(sql, userId);
}

/**
 * Ends every credential and pending grant of a user but those that the event keeps, in a transaction that holds the
 * lock of `lockCredentials`. `ticked` are those that the member ends too.
 */
export async function revokeForEvent(
  sql: ServiceSql,
  context: Pick<ProviderContext, 'keys'>,
  event: AccountEventName,
  { ticked = [], ...revocation }: Revocation & { ticked?: readonly Credential[] },
): Promise<void> {
  for (const [name, end] of Object.entries(END)) {
    const credential = name as EndedCredential;
    const effect = getEffect(event, credential);
    const ends = effect === 'if ticked' ? ticked.includes(credential) : effect !== 'stays';
    if (ends) await end(sql, context, revocation);
  }
}

/** Deletes the mails of this kind that wait for their attempt, which would create a new link. */
const deleteWaitingMails = (sql: ServiceSql, userId: string, kind: 'reset_password' | 'verify_email') =>
  deleteWaitingJobs(sql, SEND_ACCOUNT_MAIL, { kind, userId });

/** Removes the address that would replace the user's, with its links. */
export async function cancelAddressChange(sql: ServiceSql, userId: string): Promise<void> {
  await closeLinks(sql, userId, CREDENTIALS.address_change.linkPurposes);
  await setNewEmail(sql, userId, null, null);
}
