import type { MemberRows } from '../../../feature.ts';

/** Rows of this feature in an export of a member's data. */
export const memberRows: MemberRows = {
  'public.dashboard_layouts': {
    rows: `select idp_id, cards, updated_at from public.dashboard_layouts where idp_id = $1`,
  },
};
