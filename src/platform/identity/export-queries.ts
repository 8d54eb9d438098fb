import type { MemberRows } from '../../feature.ts';

/** Rows of this folder in the export of a member. */
export const memberRows: MemberRows = {
  'public.all_users': {
    rows: `select idp_id, email, idp_updated_at, created_at, updated_at, referral_link
        from public.all_users where idp_id = $1`,
  },
};
