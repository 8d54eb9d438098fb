import type { ServiceSql } from '../../platform/database/roles.ts';
import { revokeKeysAndTokens } from '../../platform/identity/queries.ts';
import { deleteWaitingJobs } from '../../platform/jobs/queries.ts';
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

interface EndedKind {
  /** Ends every one of the user. */
  end(sql: ServiceSql, context: Pick<ProviderContext, 'keys'>, revocation: Revocation): Promise<unknown>;
  /** Set if each belongs to one browser, so that the browser that makes the change may keep its own. */
  isOfBrowser?: true;
}

interface KeptKind {
  /** Why only the deletion of the account ends it. */
  staysBecause: string;
}

type CredentialKind = (EndedKind | KeptKind) & {
  /** As the documentation names it. */
  name: string;
  /** Tables that store it, or columns of the table of users. */
  storedIn: readonly string[];
};

/** Every credential and every pending grant of a user. A test compares the tables with those of the database. */
export const CREDENTIALS = {
  password: {
    name: 'password',
    storedIn: ['idp.users.password_hash'],
    // The operation has replaced it.
    end: async () => undefined,
  },
  sessions: {
    name: 'sessions',
    storedIn: ['idp.sessions'],
    isOfBrowser: true,
    end: (sql, context, { userId, device, except }) =>
      endOtherSessions(sql, context, userId, except?.sessionId ?? null, device),
  },
  tickets: {
    name: "sign-in tickets, the operator's too",
    storedIn: ['idp.sign_in_tokens'],
    end: (sql, _context, { userId }) => revokePendingTickets(sql, userId),
  },
  keys_and_tokens: {
    name: 'API keys and MCP tokens',
    storedIn: ['public.api_keys', 'public.assistant_tokens'],
    end: (sql, _context, { userId }) => revokeKeysAndTokens(sql, userId),
  },
  passkeys: {
    name: 'passkeys',
    storedIn: ['idp.passkeys'],
    end: (sql, _context, { userId }) => deletePasskeys(sql, userId),
  },
  passkey_challenges: {
    name: 'passkeys being added',
    storedIn: ['idp.passkey_challenges'],
    end: (sql, _context, { userId }) => deleteChallenges(sql, userId),
  },
  app: {
    name: 'authenticator app',
    storedIn: ['idp.totp_factors'],
    end: (sql, _context, { userId }) => deleteTotp(sql, userId),
  },
  recovery_codes: {
    name: 'recovery codes',
    storedIn: ['idp.recovery_codes'],
    end: (sql, _context, { userId }) => deleteRecoveryCodes(sql, userId),
  },
  known_browsers: {
    name: 'known browsers',
    storedIn: ['idp.known_devices'],
    isOfBrowser: true,
    end: (sql, _context, { userId, except }) => deleteOtherDevices(sql, userId, except?.clientId ?? null),
  },
  pending_sign_ins: {
    name: 'sign-ins that wait for a code',
    storedIn: ['idp.pending_sign_ins'],
    end: (sql, _context, { userId }) => deletePendingSignIns(sql, userId),
  },
  reset_links: {
    name: 'links for a new password',
    storedIn: ['idp.one_time_links'],
    async end(sql, _context, { userId }) {
      await closeLinks(sql, userId, ['reset_password', 'operator_reset']);
      await deleteWaitingMails(sql, userId, 'reset_password');
    },
  },
  confirmation_links: {
    name: 'links that confirm the address',
    storedIn: ['idp.one_time_links'],
    async end(sql, _context, { userId }) {
      await closeLinks(sql, userId, ['verify_email']);
      await deleteWaitingMails(sql, userId, 'verify_email');
    },
  },
  address_change: {
    name: 'pending change of address',
    storedIn: ['idp.one_time_links', 'idp.users.new_email', 'idp.users.new_email_id'],
    end: (sql, _context, { userId }) => cancelAddressChange(sql, userId),
  },
  connection_attempts: {
    name: 'open connections to a bank or brokerage',
    storedIn: ['public.connection_attempts'],
    staysBecause: 'Whoever finishes one adds an account that only the member sees. It ends within hours.',
  },
  checkouts: {
    name: 'open checkouts',
    storedIn: ['public.billing_checkouts'],
    staysBecause: 'Whoever finishes one pays for the plan of the member, and sees nothing of the account.',
  },
} as const satisfies Record<string, CredentialKind>;

export type Credential = keyof typeof CREDENTIALS;

interface AccountEvent {
  /** As the documentation names it. */
  name: string;
  /** What stays. Everything else ends, so that a new kind of credential ends too. */
  keeps: readonly Credential[];
  /** What ends only if the member ticks it. */
  optional?: readonly Credential[];
  /** Whether the browser that makes the change stays signed in. */
  keepsOwnBrowser?: boolean;
}

const SECOND_FACTOR = ['app', 'recovery_codes'] as const;
const SIGN_IN_CREDENTIALS = [
  'password',
  'sessions',
  'tickets',
  'keys_and_tokens',
  'passkeys',
  'passkey_challenges',
] as const;

/** Every event that ends credentials of a user, with what it keeps. */
export const ACCOUNT_EVENTS = {
  reset_by_mail: { name: 'password reset by mail', keeps: SECOND_FACTOR },
  // Somebody else may have set up the account with this address.
  reset_by_mail_unproved: { name: 'the same, address not confirmed before', keeps: [] },
  reset_by_operator: { name: 'password reset by the operator', keeps: SECOND_FACTOR },
  password_change: {
    name: 'password changed',
    keeps: SECOND_FACTOR,
    optional: ['keys_and_tokens', 'passkeys'],
    keepsOwnBrowser: true,
  },
  address_confirmed: {
    name: 'address confirmed',
    keeps: [
      ...SIGN_IN_CREDENTIALS,
      ...SECOND_FACTOR,
      'known_browsers',
      'pending_sign_ins',
      'reset_links',
      'address_change',
    ],
  },
  address_changed: {
    name: 'address changed',
    keeps: [...SIGN_IN_CREDENTIALS, ...SECOND_FACTOR, 'known_browsers', 'pending_sign_ins'],
  },
  app_on: {
    name: 'app turned on',
    keeps: ['password', 'keys_and_tokens', 'passkeys', ...SECOND_FACTOR, 'confirmation_links'],
    keepsOwnBrowser: true,
  },
  app_off: {
    name: 'app turned off',
    keeps: [...SIGN_IN_CREDENTIALS, 'known_browsers', 'reset_links', 'confirmation_links', 'address_change'],
  },
  // A member who lost everything gets a link for a new password first.
  app_reset: {
    name: 'app and passkeys removed by the operator',
    keeps: ['password', 'keys_and_tokens', 'reset_links', 'confirmation_links'],
  },
  deletion: { name: 'account deleted', keeps: [] },
} as const satisfies Record<string, AccountEvent>;

export type AccountEventName = keyof typeof ACCOUNT_EVENTS;

/** What an event does to a kind of credential. `others end`: all but those of the browser that makes the change. */
export type Effect = 'ends' | 'others end' | 'stays' | 'if ticked';

/** Returns what an event does to a kind of credential. */
export function getEffect(event: AccountEventName, credential: Credential): Effect {
  const { keeps, optional = [], keepsOwnBrowser = false }: AccountEvent = ACCOUNT_EVENTS[event];
  const kind: CredentialKind = CREDENTIALS[credential];
  if ('staysBecause' in kind) return event === 'deletion' ? 'ends' : 'stays';
  if (keeps.includes(credential)) return 'stays';
  if (optional.includes(credential)) return 'if ticked';
  return keepsOwnBrowser && kind.isOfBrowser ? 'others end' : 'ends';
}

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
  for (const [credential, kind] of Object.entries<CredentialKind>(CREDENTIALS)) {
    const effect = getEffect(event, credential as Credential);
    const ends = effect === 'if ticked' ? ticked.includes(credential as Credential) : effect !== 'stays';
    if (ends && 'end' in kind) await kind.end(sql, context, revocation);
  }
}

/** Deletes the mails of this kind that wait for their attempt, which would create a new link. */
const deleteWaitingMails = (sql: ServiceSql, userId: string, kind: 'reset_password' | 'verify_email') =>
  deleteWaitingJobs(sql, SEND_ACCOUNT_MAIL, { kind, userId });

/** Removes the address that would replace the user's, with its links. */
export async function cancelAddressChange(sql: ServiceSql, userId: string): Promise<void> {
  await closeLinks(sql, userId, ['change_email', 'stop_email_change']);
  await setNewEmail(sql, userId, null, null);
}
