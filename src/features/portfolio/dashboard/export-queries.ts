import type { MemberRows } from '../../../slice.ts';

/** What an export of a member's data holds of this slice. */
export const memberRows: MemberRows = {
  'public.dashboard_layouts': {
    rows: `select idp_id, cards, updated_at from public.dashboard_layouts where idp_id = $1`,
  },
};
