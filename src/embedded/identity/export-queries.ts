import type { MemberRows } from '../../feature.ts';

/** Rows of the embedded identity provider in the export of a member. */
export const memberRows: MemberRows = {
  'idp.users': {
    rows: `select id, email, email_address_id, email_verified_at, new_email, new_email_id, first_name, last_name, public_metadata, private_metadata,
             unsafe_metadata, password_updated_at, created_at, updated_at, last_sign_in_at, last_active_at
        from idp.users where id = $1`,
    omittedColumns: { password_hash: 'a hash of the password' },
  },
  'idp.sessions': {
    rows: `select id, client_id, user_id, status, ip_address, user_agent, last_active_at, expire_at, reauthenticated_at,
             first_factor_at, second_factor_at, created_at, updated_at
        from idp.sessions where user_id = $1 order by created_at, id`,
  },
  'idp.known_devices': {
    rows: `select client_id, user_id, signed_in_at from idp.known_devices where user_id = $1 order by client_id`,
  },
  'idp.passkeys': {
    rows: `select id, user_id, name, transports, backed_up, created_at, updated_at, last_used_at
        from idp.passkeys where user_id = $1 order by created_at, id`,
    omittedColumns: {
      credential_id: 'an identifier within your device',
      public_key: 'the key that verifies signatures',
      counter: 'the count of uses of your device',
    },
  },
  'idp.passkey_challenges': { omitReason: 'challenges for passkeys, which expire after five minutes' },
  'idp.totp_factors': {
    rows: `select id, user_id, verified_at, last_used_step, created_at, updated_at
        from idp.totp_factors where user_id = $1`,
    omittedColumns: { secret: 'the secret of the authenticator app' },
  },
  'idp.recovery_codes': {
    rows: `select user_id, created_at from idp.recovery_codes where user_id = $1 order by created_at`,
    omittedColumns: { code_hash: 'a hash of the recovery code' },
  },
  'idp.pending_sign_ins': {
    rows: `select id, client_id, user_id, attempts, expires_at, created_at
        from idp.pending_sign_ins where user_id = $1 order by created_at, id`,
  },
  'idp.one_time_links': {
    rows: `select id, user_id, purpose, email, sign_in_id, client_id, expires_at, used_at, created_at
        from idp.one_time_links where user_id = $1 order by created_at, id`,
    omittedColumns: { code_hash: 'a hash of the code in the link' },
  },
  'idp.sign_in_tokens': {
    rows: `select id, user_id, status, expires_at, created_at, updated_at
        from idp.sign_in_tokens where user_id = $1 order by created_at, id`,
  },
};
