import type { MemberRows } from '../../feature.ts';

/** The tables of feature flags in a member's data export. */
export const memberRows: MemberRows = {
  'public.feature_flag_members': {
    rows: `select flag, idp_id, enabled from public.feature_flag_members where idp_id = $1 order by flag`,
  },
};
