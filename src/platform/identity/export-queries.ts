import type { MemberRows } from '../../slice.ts';

/** What an export of a member's data holds of this room. */
export const memberRows: MemberRows = {
  'public.all_users': {
    rows: `select idp_id, email, idp_updated_at, created_at, updated_at
        from public.all_users where idp_id = $1`,
  },
};
