import type { MemberRows } from '../../feature.ts';

/** Rows of this feature in an export of a member's data. */
export const memberRows: MemberRows = {
  'public.connections': {
    rows: `select idp_id, id, kind, provider, external_id, institution_id, institution, status, connected_at,
             synced_at, sync_attempted_at, refresh_requested_at
        from public.connections where idp_id = $1 order by connected_at, id`,
  },
  'public.connection_secrets': { omitReason: 'opens accounts at the aggregator' },
  'public.connection_attempts': {
    rows: `select idp_id, id, kind, provider, reauthenticates_id, external_id, state, code, connection_id, claimed_at,
             created_at, expires_at
        from public.connection_attempts where idp_id = $1 order by created_at, id`,
    omittedColumns: {
      sealed_reference: 'opens a page at the aggregator',
      reference_hash: 'a hash by which it is recognized',
      sealed_credential: 'opens accounts at the aggregator',
    },
  },
  'public.brokerage_users': {
    rows: `select idp_id, external_id, registration_started_at from public.brokerage_users where idp_id = $1`,
    omittedColumns: { sealed_secret: 'opens accounts at the aggregator' },
  },
};
