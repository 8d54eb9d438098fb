import type { ClientRow, PasskeyRow, SessionRow, TicketRow, TotpRow, UserRow } from './rows.ts';

/** Returns a user as both APIs show it. Only the Backend API adds `private_metadata`. */
export function toUserResponse(user: UserRow) {
  return {
    id: user.id,
    object: 'user',
    username: null,
    first_name: user.first_name,
    last_name: user.last_name,
    image_url: '',
    has_image: false,
    primary_email_address_id: user.email_address_id,
    primary_phone_number_id: null,
    primary_web3_wallet_id: null,
    password_enabled: user.password_hash !== null,
    two_factor_enabled: user.totp_enabled_at !== null,
    totp_enabled: user.totp_enabled_at !== null,
    backup_code_enabled: user.has_recovery_codes,
    email_addresses: [
      toEmailAddress(user.email_address_id, user.email, user.email_verified_at !== null, user.created_at),
      ...(user.new_email === null ? [] : [toEmailAddress(user.new_email_id!, user.new_email, false, user.updated_at)]),
    ],
    phone_numbers: [],
    web3_wallets: [],
    passkeys: user.passkeys.map((passkey) => toPasskey(passkey)),
    external_accounts: [],
    saml_accounts: [],
    enterprise_accounts: [],
    organization_memberships: [],
    public_metadata: user.public_metadata,
    unsafe_metadata: user.unsafe_metadata,
    external_id: null,
    last_sign_in_at: user.last_sign_in_at,
    banned: false,
    locked: false,
    lockout_expires_in_seconds: null,
    verification_attempts_remaining: null,
    created_at: user.created_at,
    updated_at: user.updated_at,
    last_active_at: user.last_active_at,
    delete_self_enabled: true,
    create_organization_enabled: false,
    create_organizations_limit: null,
    mfa_enabled_at: user.totp_enabled_at,
    mfa_disabled_at: null,
    legal_accepted_at: null,
  };
}

/** Returns an address of a user. An address without a verification was never verified. `at` is in ms. */
export function toEmailAddress(id: string, email: string, isVerified: boolean, at: number) {
  return {
    id,
    object: 'email_address',
    email_address: email,
    reserved: false,
    verification: isVerified ? { status: 'verified', strategy: 'email_link', attempts: null, expire_at: null } : null,
    linked_to: [],
    created_at: at,
    updated_at: at,
  };
}

/** Returns the completed verification of a factor that is no passkey. */
export const toVerification = (strategy: string) => ({
  status: 'verified',
  strategy,
  attempts: null,
  expire_at: null,
});

/** Returns the verification of a passkey. `nonce` is the JSON of the options of the browser, `expireAt` in ms. */
export const toPasskeyVerification = (
  status: 'unverified' | 'verified',
  nonce: string | null = null,
  expireAt: number | null = null,
) => ({ object: 'verification_passkey', status, strategy: 'passkey', nonce, attempts: null, expire_at: expireAt });

/** Returns a passkey of a user. */
export function toPasskey(passkey: PasskeyRow, verification = toPasskeyVerification('verified')) {
  return {
    id: passkey.id,
    object: 'passkey',
    name: passkey.name,
    verification,
    last_used_at: passkey.last_used_at,
    created_at: passkey.created_at,
    updated_at: passkey.updated_at,
  };
}

/** Returns a user as the Backend API and the webhooks show it. */
export function toBackendUserResponse(user: UserRow) {
  return { ...toUserResponse(user), private_metadata: user.private_metadata };
}

/** Returns a session as the Backend API and the webhooks show it. */
export function toSessionResponse(session: SessionRow) {
  return {
    object: 'session',
    id: session.id,
    client_id: session.client_id,
    user_id: session.user_id,
    status: session.status,
    last_active_at: session.last_active_at,
    last_active_organization_id: null,
    actor: null,
    expire_at: session.expire_at,
    abandon_at: session.expire_at,
    created_at: session.created_at,
    updated_at: session.updated_at,
    latest_activity: {
      object: 'session_activity',
      id: session.id.replace('sess_', 'sess_activity_'),
      is_mobile: /Mobile/.test(session.user_agent ?? ''),
      device_type: null,
      browser_name: getBrowserName(session.user_agent ?? ''),
      browser_version: null,
      ip_address: session.ip_address,
      city: null,
      country: null,
    },
  };
}

function getBrowserName(agent: string): string | null {
  return /(Edg|Firefox|Chrome|Safari)\//.exec(agent)?.[1]?.replace('Edg', 'Edge') ?? null;
}

/** Returns a name for the device with this user agent, such as Firefox on Windows. */
export function getDeviceName(agent: string | null): string {
  const browser = getBrowserName(agent ?? '');
  const [, system] = /(Windows|Android|iPhone|iPad|Mac OS X|CrOS|Linux)/.exec(agent ?? '') ?? [];
  if (browser === null || system === undefined) return 'Passkey';
  return `${browser} on ${{ 'Mac OS X': 'macOS', CrOS: 'ChromeOS' }[system] ?? system}`;
}

export interface ActiveSession {
  session: SessionRow;
  user: UserRow;
  /** Session token of an active session. */
  jwt?: string;
}

/** Returns a session within the browser's client, with its user. */
export function toClientSessionResponse({ session, user, jwt }: ActiveSession) {
  return {
    ...toSessionResponse(session),
    factor_verification_age: getFactorAges(session),
    last_active_token: jwt === undefined ? null : { object: 'token', jwt },
    user: toUserResponse(user),
    public_user_data: {
      first_name: user.first_name,
      last_name: user.last_name,
      image_url: '',
      has_image: false,
      identifier: user.email,
      user_id: user.id,
    },
  };
}

/** Returns the whole minutes since the user proved the first and the second factor, -1 for none. */
export function getFactorAges({ verified_at: first, second_factor_at: second }: SessionRow): [number, number] {
  const getAge = (at: number): number => Math.max(0, Math.floor((Date.now() - at) / 60_000));
  return [getAge(first), second === null ? -1 : getAge(second)];
}

/** Returns the strategies with which the user proves the second factor, or null without one. */
export function toSecondFactors(user: UserRow): { strategy: 'totp' | 'backup_code' }[] | null {
  if (user.totp_enabled_at === null) return null;
  return user.has_recovery_codes ? [{ strategy: 'totp' }, { strategy: 'backup_code' }] : [{ strategy: 'totp' }];
}

/** Returns an authenticator app. Only the response that creates it holds the secret and its address. */
export function toTotpResponse(totp: TotpRow, once: { secret: string; uri: string } | { backup_codes: string[] }) {
  return {
    object: 'totp',
    id: totp.id,
    verified: totp.verified_at !== null,
    created_at: totp.created_at,
    updated_at: totp.updated_at,
    ...once,
  };
}

/** Returns the browser's client with its active sessions. `cookieExpiresAt` is in ms. */
export function toClientObject(client: ClientRow, sessions: readonly ActiveSession[], cookieExpiresAt: number) {
  return {
    object: 'client',
    id: client.id,
    sessions: sessions.map(toClientSessionResponse),
    sign_in: null,
    sign_up: null,
    last_active_session_id: sessions[0]?.session.id ?? null,
    last_authentication_strategy: null,
    cookie_expires_at: cookieExpiresAt,
    captcha_bypass: false,
    created_at: client.created_at,
    updated_at: client.updated_at,
  };
}

/** Returns a sign-in token. The ticket is only in the response that creates it. */
export function toTicketResponse(ticket: TicketRow, token?: string) {
  return {
    object: 'sign_in_token',
    id: ticket.id,
    user_id: ticket.user_id,
    status: ticket.status,
    created_at: ticket.created_at,
    updated_at: ticket.updated_at,
    ...(token !== undefined && { token, url: null }),
  };
}
