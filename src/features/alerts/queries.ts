import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { MemberSql, ServiceSql } from '../../platform/database/roles.ts';
import type { WrittenPrice, PriceSplit } from '../../market-data/services/prices/written-prices.ts';
import type { Alert, AlertChanges, AlertTerms, FiredAlert } from './contract.ts';

type DateFields = 'created_at' | 'price_at' | 'fired_at';
/** A row whose times are dates. */
type Row<Shape> = Omit<Shape, DateFields> & Record<Extract<keyof Shape, DateFields>, Date>;
export type AlertRow = Row<Alert>;
export type FiredRow = Row<FiredAlert>;

const SECURITY_COLUMNS = `t.name, t.currency, case t.asset_type when 'bond' then 'percent_of_par' else 'currency' end as price_unit`;
const ALERT_QUERY = `select a.id, a.symbol, ${SECURITY_COLUMNS}, a.kind, a.threshold, a.repeats, a.note, a.created_at
  from public.alerts a join public.listings t using (symbol)`;

const FIRED_QUERY = `select f.id, f.symbol, ${SECURITY_COLUMNS}, f.kind, f.threshold, f.note, f.price, f.change_1d,
         f.price_at, f.delayed_minutes, f.sample, f.fired_at - f.price_at > interval '1 hour' as stale, f.fired_at,
         f.read_at is not null as read
    from public.fired_alerts f join public.listings t using (symbol)`;

/** Reads the alerts that wait for a price, newest first. */
export const listAlerts = (sql: MemberSql, idpId: string): Promise<AlertRow[]> =>
  sql.query(`${ALERT_QUERY} where a.idp_id = $1 order by a.created_at desc, a.id`, [idpId]);

/** Reads one alert with the rights of its member. */
export const findAlert = (sql: MemberSql, idpId: string, id: string): Promise<AlertRow | undefined> =>
  queryFirstRow(sql, `${ALERT_QUERY} where a.idp_id = $1 and a.id = $2`, [idpId, id]);

/** Condition and order of the fired alerts that are listed, the newest 100 of member `$1`, newest first. */
const LISTED = 'where f.idp_id = $1 order by f.fired_at desc, f.symbol, f.threshold, f.id limit 100';

/** Reads the newest 100 fired alerts, newest first. */
export const listFired = (sql: MemberSql, idpId: string): Promise<FiredRow[]> =>
  sql.query(`${FIRED_QUERY} ${LISTED}`, [idpId]);

/** Returns the number of listed fired alerts that the member has not seen. Older ones could never be marked as read. */
export async function countUnread(sql: MemberSql, idpId: string): Promise<number> {
  const [row] = await sql.query<{ unread: number }>(
    `select count(*)::int as unread from (select f.read_at from public.fired_alerts f ${LISTED}) listed
      where listed.read_at is null`,
    [idpId],
  );
  return row!.unread;
}

/** Adds an alert and returns its id. `getAddRejection` maps its errors to the violated rule. */
export async function insertAlert(sql: ServiceSql, idpId: string, symbol: string, terms: AlertTerms): Promise<string> {
  const { kind, threshold, repeats, note } = terms;
  const [row] = await sql.query<{ id: string }>('select public.add_alert($1, $2, $3, $4, $5, $6) as id', [
    idpId,
    symbol,
    kind,
    threshold,
    repeats,
    note,
  ]);
  return row!.id;
}

/** Returns the rule that rejected `insertAlert`, from the SQLSTATE of its error. */
export function getAddRejection(error: unknown): 'limit' | 'locked' | undefined {
  const { code } = error as { code?: string };
  if (code === 'P0001') return 'limit';
  return code === 'P0002' ? 'locked' : undefined;
}

/**
 * Locks one alert of the member until the transaction ends, and returns its terms and the time of the newest price. The
 * price is locked before the alert, in the order of a refresh.
 */
export async function lockAlert(
  sql: ServiceSql,
  { idpId, id }: { idpId: string; id: string },
): Promise<(Pick<AlertTerms, 'kind' | 'threshold'> & { price_at: Date | null }) | undefined> {
  const price = await queryFirstRow<{ price_at: Date | null }>(
    sql,
    'select public.lock_price(a.symbol) as price_at from public.alerts a where a.idp_id = $1 and a.id = $2',
    [idpId, id],
  );
  const terms = await queryFirstRow<Pick<AlertTerms, 'kind' | 'threshold'>>(
    sql,
    'select kind, threshold from public.alerts where idp_id = $1 and id = $2 for no key update',
    [idpId, id],
  );
  return price && terms && { ...terms, ...price };
}

/** Changes the named terms of a locked alert. `startsAfter` is the time of the price after which it starts anew. */
export async function updateAlert(
  sql: ServiceSql,
  { idpId, id }: { idpId: string; id: string },
  { kind, threshold, repeats, note }: AlertChanges,
  startsAfter: { price_at: Date | null } | undefined,
): Promise<void> {
  await sql.query(
    `update public.alerts
        set kind = coalesce($3, kind), threshold = coalesce($4, threshold), repeats = coalesce($5, repeats),
            note = case when $6 then $7 else note end, fired_on = case when $8 then null else fired_on end,
            priced_at = case when $8 then coalesce($9, priced_at) else priced_at end
      where idp_id = $1 and id = $2`,
    [idpId, id, kind, threshold, repeats, note !== undefined, note, startsAfter !== undefined, startsAfter?.price_at],
  );
}

/** Deletes one of the member's alerts and returns its symbol, or undefined without such an alert. */
export const deleteAlert = (sql: MemberSql, id: string): Promise<{ symbol: string } | undefined> =>
  queryFirstRow(sql, 'delete from public.alerts where id = $1 and idp_id = public.member_id() returning symbol', [id]);

/** Condition of a change of fired alerts, which locks them in the order of their ids: two changes cannot deadlock. */
const inOrder = (condition: string): string =>
  `id = any (array(select f.id from public.fired_alerts f where ${condition} order by f.id for update))`;

/** Marks fired alerts as seen. */
export async function markRead(sql: ServiceSql, idpId: string, ids: readonly string[]): Promise<void> {
  await sql.query(
    `update public.fired_alerts set read_at = now()
      where idp_id = $1 and ${inOrder('f.idp_id = $1 and f.id = any($2::uuid[]) and f.read_at is null')}`,
    [idpId, ids],
  );
}

/** Returns whether the member gets alerts by mail. */
export async function wantsMail(sql: ServiceSql, idpId: string): Promise<boolean> {
  const row = await queryFirstRow<{ mail: boolean }>(sql, 'select mail from public.alert_settings where idp_id = $1', [
    idpId,
  ]);
  return row?.mail ?? false;
}

/** Stores whether the member gets alerts by mail. Waiting mails end with the choice. */
export async function setMail(sql: ServiceSql, idpId: string, enabled: boolean): Promise<void> {
  await sql.query(
    `insert into public.alert_settings (idp_id, mail) values ($1, $2) on conflict (idp_id) do update set mail = excluded.mail`,
    [idpId, enabled],
  );
  if (!enabled) await dropPendingMail(sql, idpId);
}

/** Turns mails off for the holder of a mail's link. Does nothing for an unknown code. */
export async function unsubscribe(sql: ServiceSql, code: string): Promise<void> {
  const row = await queryFirstRow<{ idp_id: string }>(
    sql,
    'update public.alert_settings set mail = false where unsubscribe_code = $1 returning idp_id',
    [code],
  );
  if (row) await dropPendingMail(sql, row.idp_id);
}

/** Removes fired alerts from the member's next mail. */
export async function dropPendingMail(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(
    `update public.fired_alerts set mail_pending = false
      where idp_id = $1 and ${inOrder('f.idp_id = $1 and f.mail_pending')}`,
    [idpId],
  );
}

/** Ids of the alerts that the rows of `prices` (symbol, price, change_1d) meet, by their threshold alone. */
const MET_IDS = `
  -- "offset 0" forces one index scan for each price. Without it the planner reads every alert.
  select c.id from prices p cross join lateral (
    select a.id from public.alerts a where a.symbol = p.symbol and a.kind = 'above' and a.threshold <= p.price
    union all
    select a.id from public.alerts a where a.symbol = p.symbol and a.kind = 'below' and a.threshold >= p.price
    union all
    select a.id from public.alerts a
     where a.symbol = p.symbol and a.kind = 'move' and a.threshold <= abs(p.change_1d)
    offset 0
  ) c`;

/**
 * Multiplies price thresholds by the split's factor and sets `priced_at` to the start of the day after it, so that no
 * alert is adjusted twice. Also locks the alerts that `prices` meet: locked later, they could be behind an alert
 * of a split in the order of deleteMemberAlerts, which is a deadlock.
 */
export async function adjustForSplits(
  sql: ServiceSql,
  splits: readonly PriceSplit[],
  prices: readonly WrittenPrice[],
): Promise<void> {
  await sql.query(
    `with prices as (
       select * from jsonb_to_recordset($1::jsonb) as p (symbol text, price float8, change_1d float8)
     ), met as materialized (${MET_IDS})
     select from public.alerts a
      where a.id = any (array(select met.id from met)) or a.symbol = any ($2::text[])
      order by a.idp_id, a.id for update`,
    [JSON.stringify(prices), splits.map(({ symbol }) => symbol)],
  );
  await sql.query(
    `update public.alerts a
        set threshold = case a.kind when 'move' then a.threshold else least(a.threshold * s.factor, 1e9) end,
            priced_at = s.day_start
       from jsonb_to_recordset($1::jsonb) as s (symbol text, day_start timestamptz, factor float8)
      where a.symbol = s.symbol and a.priced_at < s.day_start`,
    [JSON.stringify(splits)],
  );
}

/** An alert that a price has fired. */
interface Fired {
  idp_id: string;
  symbol: string;
  kind: Alert['kind'];
  mail_pending: boolean;
}

/**
 * Fires the alerts that new prices meet, in one statement: one that fires once is deleted, a daily one notes the day.
 * The caller has written the prices in this transaction and holds their locks, so each price is evaluated once. Alerts of
 * locked rows wait. `sendsMail` is whether the installation sends mail.
 */
export const fireAlerts = (
  sql: ServiceSql,
  prices: readonly WrittenPrice[],
  { sendsMail }: { sendsMail: boolean },
): Promise<Fired[]> =>
  sql.query(
    `with prices as (
       select * from jsonb_to_recordset($1::jsonb) as p (symbol text, price float8, change_1d float8,
         price_at timestamptz, day date, delayed_minutes int, sample boolean)
     ), candidates as materialized (${MET_IDS}
     ), met as (
       -- Locked in the order of deleteMemberAlerts, which prevents deadlocks.
       select a.idp_id, a.id, a.kind, a.threshold, a.repeats, a.note, p.*
         from public.alerts a join prices p using (symbol)
        where a.id = any (array(select c.id from candidates c))
          and p.price_at > a.priced_at and (a.fired_on is null or a.fired_on < p.day)
          and case a.kind when 'above' then p.price >= a.threshold when 'below' then p.price <= a.threshold
                else abs(p.change_1d) >= a.threshold end
        order by a.idp_id, a.id for update of a
     ), due as materialized (
       select m.* from met m where not public.is_locked_symbol(m.idp_id, m.symbol)
     ), ended as (
       delete from public.alerts a using due d where a.idp_id = d.idp_id and a.id = d.id and d.repeats = 'once'
     ), repeated as (
       update public.alerts a set fired_on = d.day, priced_at = d.price_at
         from due d where a.idp_id = d.idp_id and a.id = d.id and d.repeats = 'daily'
     )
     insert into public.fired_alerts (idp_id, symbol, kind, threshold, note, price, change_1d, price_at,
       delayed_minutes, sample, mail_pending)
     select d.idp_id, d.symbol, d.kind, d.threshold, d.note, d.price, d.change_1d, d.price_at, d.delayed_minutes,
            d.sample, s.mail and $2
       from due d join public.alert_settings s using (idp_id)
     returning idp_id, symbol, kind, mail_pending`,
    [JSON.stringify(prices), sendsMail],
  );

/** A member whose next mail is due. */
export interface MailRecipient {
  idp_id: string;
  unsubscribe_code: string;
}

const MAIL_INTERVAL = `interval '5 minutes'`;
const PENDING_MAIL = `exists (select from public.fired_alerts f where f.idp_id = s.idp_id and f.mail_pending)`;

/** Claims the mails that are due, so that no member gets two within five minutes. */
export const claimMails = (sql: ServiceSql): Promise<MailRecipient[]> =>
  sql.query(
    `update public.alert_settings s set last_mail_at = now()
      where s.idp_id in (
        select s.idp_id from public.alert_settings s
         where s.mail and (s.last_mail_at is null or s.last_mail_at <= now() - ${MAIL_INTERVAL}) and ${PENDING_MAIL}
         order by s.idp_id limit 100 for no key update skip locked)
     returning s.idp_id, s.unsubscribe_code`,
  );

/** Returns when the next mail is due, or undefined if none waits. */
export async function findNextMailTime(sql: ServiceSql): Promise<Date | undefined> {
  const [row] = await sql.query<{ at: Date | null }>(
    `select min(coalesce(s.last_mail_at + ${MAIL_INTERVAL}, now())) as at
       from public.alert_settings s where s.mail and ${PENDING_MAIL}`,
  );
  return row!.at ?? undefined;
}

/** Reads the fired alerts of the member's next mail, oldest first. */
export const listPendingMail = (sql: ServiceSql, idpId: string): Promise<FiredRow[]> =>
  sql.query(`${FIRED_QUERY} where f.idp_id = $1 and f.mail_pending order by f.fired_at, f.symbol, f.threshold, f.id`, [
    idpId,
  ]);

/** Removes mailed alerts from the next mail. */
export async function markMailed(sql: ServiceSql, idpId: string, ids: readonly string[]): Promise<void> {
  await sql.query(
    `update public.fired_alerts set mail_pending = false
      where idp_id = $1 and ${inOrder('f.idp_id = $1 and f.id = any($2::uuid[])')}`,
    [idpId, ids],
  );
}

/** Deletes fired alerts after 90 days, and gives up mails after one. */
export async function deleteExpired(sql: ServiceSql): Promise<void> {
  await sql.query(`delete from public.fired_alerts where ${inOrder(`f.fired_at < now() - interval '90 days'`)}`);
  await sql.query(
    `update public.fired_alerts set mail_pending = false
      where ${inOrder(`f.mail_pending and f.fired_at < now() - interval '1 day'`)}`,
  );
}

/** Deletes the settings of a member, and by cascade all alerts. Locks the alerts in the order of a refresh. */
export async function deleteMemberAlerts(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query('select from public.alerts where idp_id = $1 order by id for update', [idpId]);
  await sql.query('delete from public.alert_settings where idp_id = $1', [idpId]);
}
