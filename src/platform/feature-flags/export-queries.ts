import type { MemberRows } from '../../slice.ts';

/** What an export of a member's data holds of this room. */
export const memberRows: MemberRows = {
  'public.feature_flag_members': {
    rows: `select flag, idp_id, enabled from public.feature_flag_members where idp_id = $1 order by flag`,
  },
};
