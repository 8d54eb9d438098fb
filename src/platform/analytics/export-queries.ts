import type { MemberRows } from '../../feature.ts';

/** The tables of analytics in a member's data export. */
export const memberRows: MemberRows = {
  'public.analytics_choices': {
    rows: `select idp_id, enabled, updated_at from public.analytics_choices where idp_id = $1`,
  },
  'public.analytics_days': {
    rows: `select idp_id, day, events, bytes from public.analytics_days where idp_id = $1`,
  },
  'public.analytics_events': {
    rows: `select idp_id, id, event, properties, occurred_at, received_at, place, claimed_until, forwarded_at,
               local_only, quarantined_at, refusal
        from public.analytics_events where idp_id = $1 order by occurred_at, id`,
  },
};
