import type { ServiceSql } from '../database/roles.ts';
import type { EventProperties } from './contract.ts';

/** An event as it is written. */
export interface CapturedEvent {
  /** The same id of the same member is written once, however often it comes. */
  id: string;
  idpId: string;
  event: string;
  properties: EventProperties;
  occurredAt: Date;
  /** Kept here and never forwarded. */
  localOnly: boolean;
}

export interface EventRow {
  id: string;
  idp_id: string;
  event: string;
  properties: EventProperties;
  occurred_at: Date;
}

/**
 * Appends events in one statement; those of a member who has been deleted, and those that are there, are left out. Of a
 * member whose switch is off they are kept here alone, also when it is on again later. The quoted names are
 * the fields of `CapturedEvent`.
 */
export async function insertEvents(sql: ServiceSql, events: readonly CapturedEvent[]): Promise<void> {
  if (events.length === 0) return;
  await sql.query(
    `insert into public.analytics_events (idp_id, id, event, properties, occurred_at, local_only)
     select e."idpId", e.id, e.event, e.properties, e."occurredAt",
            e."localOnly" or e."idpId" in (
              select c.idp_id from public.analytics_choices c where c.idp_id = any ($2::text[]) and not c.enabled)
       from json_to_recordset($1::json) as e (
         "idpId" text, id uuid, event text, properties jsonb, "occurredAt" timestamptz, "localOnly" boolean
       )
      where e."idpId" in (select m.idp_id from public.active_members m)
     on conflict (idp_id, id) do nothing`,
    [JSON.stringify(events), [...new Set(events.map(({ idpId }) => idpId))]],
  );
}

const PENDING_CONDITION = 'forwarded_at is null and quarantined_at is null and not local_only';

/** Marks what waits of the demo account and of members who said no, so that it is never forwarded. */
export async function markLocalOnly(sql: ServiceSql, demoAccountId: string | undefined): Promise<void> {
  await sql.query(
    `update public.analytics_events e set local_only = true
      where ${PENDING_CONDITION}
        and (e.idp_id = $1 or e.idp_id in (select c.idp_id from public.analytics_choices c where not c.enabled))`,
    [demoAccountId ?? null],
  );
}

/**
 * The oldest events that were not forwarded yet, without those of members who said no in the meantime. None where
 * another transaction forwards: an advisory lock, which reaches over several servers as row locks do not.
 */
export async function lockPendingEvents(sql: ServiceSql, maxEvents: number): Promise<EventRow[]> {
  const [lock] = await sql.query<{ acquired: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('forward-events', 0)) as acquired`,
  );
  if (!lock!.acquired) return [];
  return sql.query<EventRow>(
    `select id, idp_id, event, properties, occurred_at from public.analytics_events
      where ${PENDING_CONDITION}
        and idp_id not in (select c.idp_id from public.analytics_choices c where not c.enabled)
      order by occurred_at limit $1`,
    [maxEvents],
  );
}

type EventKey = Pick<EventRow, 'idp_id' | 'id'>;
const MATCHES_KEYS = `unnest($1::text[], $2::uuid[]) as sent (idp_id, id) where e.idp_id = sent.idp_id and e.id = sent.id`;
const toKeyArrays = (events: readonly EventKey[]) => [events.map(({ idp_id }) => idp_id), events.map(({ id }) => id)];

export async function markForwarded(sql: ServiceSql, events: readonly EventKey[]): Promise<void> {
  await sql.query(
    `update public.analytics_events e set forwarded_at = now() from ${MATCHES_KEYS}`,
    toKeyArrays(events),
  );
}

/** Takes an event out of what waits, with the reason for which the analytics service does not take it. */
export async function quarantineEvent(sql: ServiceSql, event: EventKey, reason: string): Promise<void> {
  const values = [...toKeyArrays([event]), reason];
  await sql.query(
    `update public.analytics_events e set quarantined_at = now(), refusal = $3 from ${MATCHES_KEYS}`,
    values,
  );
}

/** Rows that one statement removes, about. */
const PURGE_BATCH_SIZE = 10_000;

/**
 * Removes events older than `days`, oldest first, and what the analytics service has had for a month; of the way to a
 * paid plan, which reports of longer times read, what is older than five years. Returns how many of the events waited
 * for the service still.
 */
export async function purgeExpiredEvents(
  sql: ServiceSql,
  funnelEventNames: readonly string[],
  retentionDays: number,
): Promise<number> {
  const settledCondition = `not (${PENDING_CONDITION})`;
  await deleteInBatches(
    sql,
    settledCondition,
    `occurred_at < now() - interval '30 days'
    and forwarded_at < now() - interval '30 days' and event <> all ($1::text[])`,
    [funnelEventNames],
  );
  const expiredCondition = `occurred_at < now() - make_interval(days => $2)
    and (event <> all ($1::text[]) or occurred_at < now() - interval '1830 days')`;
  await deleteInBatches(sql, settledCondition, expiredCondition, [funnelEventNames, retentionDays]);
  return deleteInBatches(sql, PENDING_CONDITION, expiredCondition, [funnelEventNames, retentionDays]);
}

/**
 * Removes matching events by their age, through the index of those that are settled or of those that wait. Each
 * statement ends at a time of its own, and no subquery picks rows: it would also run over many shards.
 */
async function deleteInBatches(
  sql: ServiceSql,
  stateCondition: string,
  ageCondition: string,
  values: readonly unknown[],
): Promise<number> {
  let removed = 0;
  for (let hasMore = true; hasMore;) {
    const lastParameter = `$${values.length + 1}`;
    const [batchEnd] = await sql.query<{ at: string }>(
      `select occurred_at::text as at from public.analytics_events where ${stateCondition} and ${ageCondition}
        order by occurred_at offset ${PURGE_BATCH_SIZE} limit 1`,
      values,
    );
    const rows = await sql.query(
      `delete from public.analytics_events
        where ${stateCondition} and ${ageCondition} and occurred_at <= coalesce(${lastParameter}::timestamptz, 'infinity') returning 1`,
      [...values, batchEnd?.at ?? null],
    );
    removed += rows.length;
    hasMore = batchEnd !== undefined;
  }
  return removed;
}

/** How many events wait for the analytics service, up to a million, and for how many seconds the first of them. */
export async function readPendingStats(sql: ServiceSql): Promise<{ waiting: number; oldest: number }> {
  const [row] = await sql.query<{ waiting: number; oldest: number }>(
    `select count(*)::int as waiting, coalesce(extract(epoch from now() - min(w.occurred_at)), 0)::float8 as oldest
       from (select occurred_at from public.analytics_events where ${PENDING_CONDITION} order by occurred_at limit 1000000) w`,
  );
  return row!;
}

/** Removes a deleted member's events, forwarded or not, and their choice. */
export async function deleteMemberEvents(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.analytics_events where idp_id = $1`, [idpId]);
  await sql.query(`delete from public.analytics_choices where idp_id = $1`, [idpId]);
}

/** Whether a member's events may be captured and forwarded; yes until they said no. */
export async function readChoice(sql: ServiceSql, idpId: string): Promise<boolean> {
  const [row] = await sql.query<{ enabled: boolean }>(
    `select enabled from public.analytics_choices where idp_id = $1`,
    [idpId],
  );
  return row?.enabled ?? true;
}

/**
 * Writes a member's choice. What waits of the time before a refusal, or between a refusal and the next consent, is
 * never forwarded; what a call of the forwarder holds in this moment is on its way already.
 */
export async function writeChoice(sql: ServiceSql, idpId: string, enabled: boolean): Promise<void> {
  await sql.transaction(async (tx) => {
    await tx.query(
      `update public.analytics_events e set local_only = true
        where (not $2 or exists (select from public.analytics_choices c where c.idp_id = $1 and not c.enabled))
          and e.idp_id = $1 and e.id in (
            select w.id from public.analytics_events w where w.idp_id = $1 and ${PENDING_CONDITION} for update skip locked)`,
      [idpId, enabled],
    );
    await tx.query(
      `insert into public.analytics_choices (idp_id, enabled)
       select m.idp_id, $2 from public.active_members m where m.idp_id = $1
       on conflict (idp_id) do update set enabled = excluded.enabled, updated_at = excluded.updated_at`,
      [idpId, enabled],
    );
  });
}
