import type { MemberRows } from '../../feature.ts';

/** Rows of this feature in an export of a member's data. */
export const memberRows: MemberRows = {
  'public.alert_settings': {
    rows: 'select idp_id, mail, last_mail_at from public.alert_settings where idp_id = $1',
    omittedColumns: { unsubscribe_code: 'turns mails off without a sign-in' },
  },
  'public.alerts': {
    rows: `select idp_id, id, symbol, kind, threshold, repeats, note, nullif(priced_at, '-infinity') as priced_at,
             fired_on, created_at
        from public.alerts where idp_id = $1 order by created_at, id`,
  },
  'public.fired_alerts': {
    rows: `select idp_id, id, symbol, kind, threshold, note, price, change_1d, price_at, delayed_minutes, sample,
             fired_at, read_at, mail_pending
        from public.fired_alerts where idp_id = $1 order by fired_at, id`,
  },
};
