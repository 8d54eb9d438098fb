/** Rows as the queries return them. Every time is in ms since 1970. */
export interface UserRow {
  id: string;
  email: string;
  email_address_id: string;
  /** Null until a link that was sent to the address was opened. */
  email_verified_at: number | null;
  /** Address that replaces `email` once it is verified. */
  new_email: string | null;
  new_email_id: string | null;
  password_hash: string | null;
  /** Time when the second factor was turned on, or null without one. */
  totp_enabled_at: number | null;
  has_recovery_codes: boolean;
  first_name: string | null;
  last_name: string | null;
  public_metadata: Record<string, unknown>;
  private_metadata: Record<string, unknown>;
  unsafe_metadata: Record<string, unknown>;
  created_at: number;
  updated_at: number;
  last_sign_in_at: number | null;
  last_active_at: number | null;
  /** Oldest first. */
  passkeys: PasskeyRow[];
}

/** A passkey as its owner sees it. */
export interface PasskeyRow {
  id: string;
  name: string;
  created_at: number;
  updated_at: number;
  last_used_at: number | null;
}

/** A passkey with what verifies its signatures. */
export interface PasskeyCredentialRow {
  id: string;
  user_id: string;
  /** The authenticator's identifier in base64url. */
  credential_id: string;
  /** A COSE key. */
  public_key: Buffer;
  counter: number;
  transports: string[];
  backed_up: boolean;
}

export interface PasskeyChallengeRow {
  /** Id of the sign-in attempt, of the new passkey, or of the session that is confirmed again. */
  id: string;
  purpose: 'registration' | 'sign_in' | 'reverification';
  challenge: string;
  session_id: string | null;
  /** Hash of a cookie that identifies a browser without a session. */
  browser_hash: Buffer | null;
}

export interface ClientRow {
  id: string;
  created_at: number;
  updated_at: number;
}

export interface SessionRow {
  id: string;
  client_id: string;
  user_id: string;
  /** An active session past its end is returned as `expired`. */
  status: 'active' | 'ended' | 'removed' | 'replaced' | 'revoked' | 'expired';
  ip_address: string | null;
  user_agent: string | null;
  last_active_at: number;
  expire_at: number;
  /** Time of the last sign-in of this session, or when the user entered the credentials again. */
  verified_at: number;
  /** Time when the user last proved the second factor in this session. */
  second_factor_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface TicketRow {
  id: string;
  user_id: string;
  /** A pending ticket past its end is returned as `expired`. */
  status: 'pending' | 'accepted' | 'revoked' | 'expired';
  expires_at: number;
  created_at: number;
  updated_at: number;
}

export interface TotpRow {
  id: string;
  user_id: string;
  /** Base32. */
  secret: string;
  /** Null until a code was entered. */
  verified_at: number | null;
  created_at: number;
  updated_at: number;
}

/** A sign-in after the password and before the second factor. */
export interface PendingSignInRow {
  id: string;
  client_id: string;
  user_id: string;
  /** Codes that were entered. */
  attempts: number;
  expires_at: number;
}

export interface LinkRow {
  id: string;
  user_id: string;
  /** `reset_password` was sent to the address. The operator hands over `operator_reset`. */
  purpose: 'reset_password' | 'operator_reset' | 'verify_email' | 'change_email' | 'stop_email_change';
  email: string;
  code_hash: Buffer;
}

export interface InvitationRow {
  id: string;
  /** The only address that may sign up, or null for any. */
  email: string | null;
  code_hash: Buffer;
  status: 'pending' | 'accepted' | 'revoked' | 'expired';
  expires_at: number;
  created_at: number;
}

/** Returns select-list entries that convert times to ms, the unit of the provider's API. */
export function selectMilliseconds(...columns: readonly string[]): string {
  return columns.map((column) => `floor(extract(epoch from ${column}) * 1000)::float8 as ${column}`).join(', ');
}
