import type { MemberRows } from '../../feature.ts';

/** The tables of this feature in a member's data export. */
export const memberRows: MemberRows = {
  'public.organisations': {
    rows: `select id, name, usage_tier, owner_idp_id, created_at from public.organisations where owner_idp_id = $1`,
  },
  'public.api_keys': {
    rows: `select id, organisation_id, name, hint, created_at, last_used_at, revoked_at
        from public.api_keys
       where organisation_id in (select id from public.organisations where owner_idp_id = $1) order by created_at, id`,
    omittedColumns: { key_hash: 'a hash that identifies the key' },
  },
};
