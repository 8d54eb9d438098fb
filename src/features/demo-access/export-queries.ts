import type { MemberRows } from '../../feature.ts';

/** Rows of this feature in the export of a member's data. */
export const memberRows: MemberRows = {
  'public.demo_access_invitations': {
    omitReason: "sign-in links of the shared demo account: operators' record of its viewers, who are others",
  },
  'public.demo_resets': {
    rows: `select idp_id, confirmed_at from public.demo_resets where idp_id = $1`,
  },
};
