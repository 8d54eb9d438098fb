import type { MemberRows } from '../../feature.ts';

/** Rows of this feature in an export of a member's data. */
export const memberRows: MemberRows = {
  'public.referrals': {
    rows: `select id, case when referrer_idp_id = $1 then 'referrer' else 'referred' end as member_is, source,
             status, signed_up_at, completed_at, recorded_at
        from public.referrals where referrer_idp_id = $1 or referred_idp_id = $1 order by recorded_at, id`,
    omittedColumns: {
      referrer_idp_id: 'may name another member; member_is states which of the two the member is',
      referred_idp_id: 'the same',
    },
  },
  'public.referral_audit': {
    omitReason: "operators' reasons, which name other members",
  },
  'public.first_connections': {
    rows: `select idp_id, kind, connection_id, connected_at from public.first_connections where idp_id = $1`,
  },
};
