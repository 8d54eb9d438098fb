import type { LinkRow } from './rows.ts';

interface CredentialKind {
  /** As the documentation names it. */
  name: string;
  /** As mails and pages name it. Several kinds may share a word. */
  words: readonly string[];
  /** Columns that store it. */
  storedIn: readonly string[];
  /** Purposes of the one-time links that belong to it. */
  linkPurposes?: readonly LinkRow['purpose'][];
  /** Set if each belongs to one browser, so that the browser that makes the change may keep its own. */
  isOfBrowser?: true;
  /** Set if only the deletion of the account ends it. */
  staysBecause?: string;
}

/** Every credential and every pending grant of a user. A test compares them with the columns of the database. */
export const CREDENTIALS = {
  password: { name: 'password', words: ['password'], storedIn: ['idp.users.password_hash'] },
  sessions: { name: 'sessions', words: ['sessions'], storedIn: ['idp.sessions.id'], isOfBrowser: true },
  tickets: {
    name: "sign-in tickets, the operator's too",
    words: ['sessions'],
    storedIn: ['idp.sign_in_tokens.id'],
  },
  keys_and_tokens: {
    name: 'API keys and MCP tokens',
    words: ['API keys', 'assistant tokens'],
    storedIn: ['public.api_keys.key_hash', 'public.assistant_tokens.token_hash'],
  },
  passkeys: {
    name: 'passkeys',
    words: ['passkeys'],
    storedIn: ['idp.passkeys.credential_id', 'idp.passkeys.public_key'],
  },
  passkey_challenges: {
    name: 'passkeys being added',
    words: ['passkeys'],
    storedIn: ['idp.passkey_challenges.challenge', 'idp.passkey_challenges.browser_hash'],
  },
  app: { name: 'authenticator app', words: ['authenticator app'], storedIn: ['idp.totp_factors.secret'] },
  recovery_codes: { name: 'recovery codes', words: ['recovery codes'], storedIn: ['idp.recovery_codes.code_hash'] },
  known_browsers: {
    name: 'known browsers',
    words: ['sessions'],
    storedIn: ['idp.known_devices.client_id'],
    isOfBrowser: true,
  },
  pending_sign_ins: {
    name: 'sign-ins that wait for a code',
    words: ['sessions'],
    storedIn: ['idp.pending_sign_ins.id'],
  },
  reset_links: {
    name: 'links for a new password',
    words: ['links for a new password'],
    storedIn: ['idp.one_time_links.code_hash'],
    linkPurposes: ['reset_password', 'operator_reset'],
  },
  confirmation_links: {
    name: 'links that confirm the address',
    words: ['links that confirm the email'],
    storedIn: ['idp.one_time_links.code_hash'],
    linkPurposes: ['verify_email'],
  },
  address_change: {
    name: 'pending change of address',
    words: ['pending change of email'],
    storedIn: ['idp.one_time_links.code_hash', 'idp.users.new_email', 'idp.users.new_email_id'],
    linkPurposes: ['change_email', 'stop_email_change'],
  },
  connection_attempts: {
    name: 'open connections to a bank or brokerage',
    words: ['unfinished account connections'],
    storedIn: [
      'public.connection_attempts.sealed_reference',
      'public.connection_attempts.reference_hash',
      'public.connection_attempts.sealed_credential',
    ],
    staysBecause: 'Whoever finishes one adds an account that only the member sees. It ends within hours.',
  },
  checkouts: {
    name: 'open checkouts',
    words: ['unfinished checkouts'],
    storedIn: ['public.billing_checkouts.session_id', 'public.billing_checkouts.url'],
    staysBecause: 'Whoever finishes one pays for the plan of the member, and sees nothing of the account.',
  },
} as const satisfies Record<string, CredentialKind>;

export type Credential = keyof typeof CREDENTIALS;

interface AccountEvent {
  /** As the documentation names it. */
  name: string;
  /** What stays. Everything else ends, so that a new kind of credential ends too. */
  keeps: readonly Credential[];
  /** What the event itself creates, so that no message says that it stays. */
  creates?: readonly Credential[];
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
    creates: SECOND_FACTOR,
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
  if (kind.staysBecause !== undefined) return event === 'deletion' ? 'ends' : 'stays';
  if (keeps.includes(credential)) return 'stays';
  if (optional.includes(credential)) return 'if ticked';
  return keepsOwnBrowser && kind.isOfBrowser ? 'others end' : 'ends';
}

/** Returns the words of the credentials on which the event has this effect, without what it creates. */
function listWords(event: AccountEventName, effect: Effect): string[] {
  const { creates = [] }: AccountEvent = ACCOUNT_EVENTS[event];
  const credentials = (Object.keys(CREDENTIALS) as Credential[]).filter(
    (credential) => getEffect(event, credential) === effect && !creates.includes(credential),
  );
  return [...new Set(credentials.flatMap((credential) => CREDENTIALS[credential].words))];
}

const writeSentence = (start: string, words: readonly string[]): string =>
  words.length === 0 ? '' : `${start}: ${new Intl.ListFormat('en-GB').format(words)}.`;

/** Returns the sentence for mails and pages that names what the event keeps. It is empty if nothing stays. */
export const describeKept = (event: AccountEventName): string => writeSentence('What stays', listWords(event, 'stays'));

/** Returns the sentence that names what a password change keeps unless the member ends it too. */
export const describeOptional = (): string =>
  writeSentence('What stays unless it was ended too', listWords('password_change', 'if ticked'));

/** Returns the sentence for pages that names what the event ends, before the member makes the change. */
export function describeEnded(event: 'password_change' | 'app_on'): string {
  // The password is what the member changes.
  const kept = ['password', ...listWords(event, 'stays'), ...listWords(event, 'if ticked')];
  const ended = [...listWords(event, 'others end').map((word) => `other ${word}`), ...listWords(event, 'ends')];
  const words = ended.filter((word) => !kept.includes(word) && !ended.includes(`other ${word}`));
  return `This ends your ${new Intl.ListFormat('en-GB').format(words)}.`;
}

/** Returns what a reset with a link keeps. A link that proves the address for the first time keeps less. */
export function describeKeptByReset(): string {
  const always = listWords('reset_by_mail_unproved', 'stays');
  const others = listWords('reset_by_mail', 'stays').filter((word) => !always.includes(word));
  const start = 'What stays unless the link confirms this email for the first time';
  return `${writeSentence(start, others)} ${writeSentence('What stays', always)}`;
}
