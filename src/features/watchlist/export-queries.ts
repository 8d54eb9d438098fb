import type { MemberRows } from '../../feature.ts';

/** Rows of this feature in an export of a member's data. */
export const memberRows: MemberRows = {
  'public.watchlist_items': {
    rows: `select idp_id, id, symbol, position, created_at, updated_at
        from public.watchlist_items where idp_id = $1 order by position`,
  },
};
