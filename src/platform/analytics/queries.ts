import { deleteInBatches } from '../database/delete-in-batches.ts';
import type { ServiceSql } from '../database/roles.ts';
import type { EventProperties } from './contract.ts';

/** An event as it is stored. */
export interface CapturedEvent {
  /** An id is stored once per member, however often it is sent. */
  id: string;
  idpId: string;
  event: string;
  properties: EventProperties;
  occurredAt: Date;
  /** The event is stored here and never forwarded. */
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
 * Inserts events of one member in the transaction `tx` of the change that they report, by the rules of `insertEvents`.
 */
export async function insertMemberEvents(
  tx: ServiceSql,
  idpId: string,
  events: readonly Omit<CapturedEvent, 'idpId'>[],
): Promise<void> {
  if (events.length === 0 || !(await delayDeletion(tx, idpId))) return;
  const isForwarded = await readChoice(tx, idpId);
  const firstPlace = await readNextPlace(tx, idpId);
  // One by one, since Citus commits an `insert … select` in two phases, which costs its coordinator 4.5 ms more of
  // processor time.
  for (const [index, { id, event, properties, occurredAt, localOnly }] of events.entries())
    await tx.query(
      `insert into public.analytics_events (idp_id, id, event, properties, occurred_at, local_only, place)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (idp_id, id) do nothing`,
      [idpId, id, event, JSON.stringify(properties), occurredAt, localOnly || !isForwarded, firstPlace + index],
    );
}

/** Returns the place behind the pending events of a member. */
async function readNextPlace(tx: ServiceSql, idpId: string): Promise<number> {
  const [row] = await tx.query<{ place: number | null }>(
    `select max(place) + 1 as place from public.analytics_events where idp_id = $1 and ${PENDING_CONDITION}`,
    [idpId],
  );
  return row?.place ?? 0;
}

/** Delays a deletion of the member until the transaction ends. Returns false if the member is deleted. */
async function delayDeletion(tx: ServiceSql, idpId: string): Promise<boolean> {
  const members = await tx.query(`select where public.delay_deletion($1)`, [idpId]);
  return members.length > 0;
}

/**
 * Inserts events of any members in the transaction `tx`. Events of deleted members and events with stored ids are
 * omitted. Events of members who have opted out are never forwarded, even after an opt-in.
 */
export async function insertEvents(tx: ServiceSql, events: readonly CapturedEvent[]): Promise<void> {
  if (events.length === 0) return;
  // A separate statement, since a cluster would run the function on a worker.
  const members = await tx.query<{ idp_id: string }>(
    `select m.idp_id from unnest($1::text[]) as m (idp_id) where public.delay_deletion(m.idp_id)`,
    [[...new Set(events.map(({ idpId }) => idpId))].sort()],
  );
  await insertRows(
    tx,
    events,
    members.map(({ idp_id }) => idp_id),
  );
}

/** Inserts those of the events that belong to `members`, whose deletion the caller has delayed. */
async function insertRows(tx: ServiceSql, events: readonly CapturedEvent[], members: readonly string[]): Promise<void> {
  const nextPlaces = new Map<string, number>();
  // One by one, since a cluster finds the last event of only one member by an index.
  for (const idpId of members) nextPlaces.set(idpId, await readNextPlace(tx, idpId));
  const placedEvents = events.map((event) => {
    const place = nextPlaces.get(event.idpId) ?? 0;
    nextPlaces.set(event.idpId, place + 1);
    return { ...event, place };
  });
  // The quoted names are the fields of `CapturedEvent`.
  await tx.query(
    `insert into public.analytics_events (idp_id, id, event, properties, occurred_at, local_only, place)
     select e."idpId", e.id, e.event, e.properties, e."occurredAt",
            e."localOnly" or e."idpId" in (
              select c.idp_id from public.analytics_choices c where c.idp_id = any ($2::text[]) and not c.enabled),
            e.place
       from json_to_recordset($1::json) as e (
         "idpId" text, id uuid, event text, properties jsonb, "occurredAt" timestamptz, "localOnly" boolean,
         place integer
       )
      where e."idpId" = any ($2::text[])
     on conflict (idp_id, id) do nothing`,
    [JSON.stringify(placedEvents), members],
  );
}

/** Events and bytes of properties that a member's browsers may store on a day (UTC). Pages stay far below both. */
export const DAY_LIMIT = { events: 5_000, bytes: 2_000_000 };

/**
 * Inserts events of one member's browsers by the rules of `insertEvents`. Events that exceed the member's day are
 * omitted, and the others count for it. Returns false if events were omitted for this reason.
 */
export async function insertBrowserEvents(
  tx: ServiceSql,
  idpId: string,
  events: readonly Omit<CapturedEvent, 'idpId'>[],
): Promise<boolean> {
  if (!(await delayDeletion(tx, idpId))) return true;
  const day = await lockDay(tx, idpId);
  const storedEvents = await tx.query<{ id: string }>(
    `select id from public.analytics_events where idp_id = $1 and id = any ($2::uuid[])`,
    [idpId, events.map(({ id }) => id)],
  );
  const knownIds = new Set(storedEvents.map(({ id }) => id));
  const newEvents: CapturedEvent[] = [];
  let haveAllFitted = true;
  for (const event of events) {
    const id = event.id.toLowerCase();
    if (knownIds.has(id)) continue;
    const bytes = Buffer.byteLength(JSON.stringify(event.properties));
    if (day.events + 1 > DAY_LIMIT.events || day.bytes + bytes > DAY_LIMIT.bytes) {
      haveAllFitted = false;
      continue;
    }
    knownIds.add(id);
    newEvents.push({ ...event, idpId });
    day.events += 1;
    day.bytes += bytes;
  }
  if (newEvents.length === 0) return haveAllFitted;
  await insertRows(tx, newEvents, [idpId]);
  await tx.query(`update public.analytics_days set events = $2, bytes = $3 where idp_id = $1`, [
    idpId,
    day.events,
    day.bytes,
  ]);
  return haveAllFitted;
}

/** Returns what a member's browsers have stored today. Other calls for the member wait until the transaction ends. */
async function lockDay(tx: ServiceSql, idpId: string): Promise<{ events: number; bytes: number }> {
  const [day] = await tx.query<{ events: number; bytes: number }>(
    `insert into public.analytics_days as d (idp_id, day, events, bytes) values ($1, $2, 0, 0)
     on conflict (idp_id) do update
       set day = excluded.day,
           events = case when d.day = excluded.day then d.events else 0 end,
           bytes = case when d.day = excluded.day then d.bytes else 0 end
     returning events, bytes`,
    [idpId, new Date().toISOString().slice(0, 10)],
  );
  return day!;
}

const PENDING_CONDITION = 'forwarded_at is null and quarantined_at is null and not local_only';

/** Names the event's member, so that the workers of a cluster read the choices of their own members. */
const HAS_OPTED_OUT = `exists (select from public.analytics_choices c where c.idp_id = e.idp_id and not c.enabled)`;

/** Marks pending events of the demo account and of members who opted out, so that they are never forwarded. */
export async function markLocalOnly(sql: ServiceSql, demoAccountId: string | undefined): Promise<void> {
  await sql.query(
    `update public.analytics_events e set local_only = true
      where ${PENDING_CONDITION}
        and (e.idp_id = $1 or ${HAS_OPTED_OUT})`,
    [demoAccountId ?? null],
  );
}

interface ClaimOptions {
  maxEvents: number;
  /** Seconds in which no other process claims the events. */
  leaseSeconds: number;
  demoAccountId: string | undefined;
}

/**
 * Claims the first pending events of all members, and then their later ones. Events with the same place are claimed in
 * the order of their arrival, since browsers choose the time of their events. Omits those of the demo account and of
 * members who have opted out, also since the last `markLocalOnly`.
 */
export function claimPendingEvents(
  sql: ServiceSql,
  { maxEvents, leaseSeconds, demoAccountId }: ClaimOptions,
): Promise<EventRow[]> {
  return sql.transaction(async (tx) => {
    // An advisory lock, because row locks do not span several servers.
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('claim-events', 0))`);
    const events = await tx.query<EventRow>(
      `select e.id, e.idp_id, e.event, e.properties, e.occurred_at from public.analytics_events e
        where ${PENDING_CONDITION} and (e.claimed_until is null or e.claimed_until <= now())
          and e.idp_id is distinct from $2 and not ${HAS_OPTED_OUT}
        order by e.place, e.received_at limit $1`,
      [maxEvents, demoAccountId ?? null],
    );
    if (events.length > 0)
      await tx.query(
        `update public.analytics_events e set claimed_until = now() + make_interval(secs => $3) ${FROM_KEYS}`,
        [...toKeyArrays(events), leaseSeconds],
      );
    return events;
  });
}

type EventKey = Pick<EventRow, 'idp_id' | 'id'>;
const FROM_KEYS = `from unnest($1::text[], $2::uuid[]) as k (idp_id, id) where e.idp_id = k.idp_id and e.id = k.id`;
const toKeyArrays = (events: readonly EventKey[]) => [events.map(({ idp_id }) => idp_id), events.map(({ id }) => id)];

/** Ends the claim of those events that are still pending. */
export async function releaseEvents(sql: ServiceSql, events: readonly EventKey[]): Promise<void> {
  await sql.query(
    `update public.analytics_events e set claimed_until = null ${FROM_KEYS} and ${PENDING_CONDITION}`,
    toKeyArrays(events),
  );
}

export async function markForwarded(sql: ServiceSql, events: readonly EventKey[]): Promise<void> {
  await sql.query(`update public.analytics_events e set forwarded_at = now() ${FROM_KEYS}`, toKeyArrays(events));
}

/** Removes an event from the pending ones and stores the reason for its rejection. */
export async function quarantineEvent(sql: ServiceSql, event: EventKey, reason: string): Promise<void> {
  const values = [...toKeyArrays([event]), reason];
  await sql.query(`update public.analytics_events e set quarantined_at = now(), refusal = $3 ${FROM_KEYS}`, values);
}

/**
 * Deletes events older than `retentionDays`, oldest first, and those forwarded a month ago. Events of the upgrade
 * funnel are deleted after five years, because long-term reports read them. Returns the number of deleted events that
 * were still pending. Pending events are deleted apart, because they have an index of their own.
 */
export async function purgeExpiredEvents(
  sql: ServiceSql,
  funnelEventNames: readonly string[],
  retentionDays: number,
): Promise<number> {
  const deleteSettled = `delete from public.analytics_events where not (${PENDING_CONDITION})`;
  const deletePending = `delete from public.analytics_events where ${PENDING_CONDITION}`;
  const columns = { time: 'occurred_at', id: 'id' };
  await deleteInBatches(sql, {
    ...columns,
    statement: `${deleteSettled} and occurred_at < now() - interval '30 days'
      and forwarded_at < now() - interval '30 days' and event <> all ($1::text[])`,
    values: [funnelEventNames],
  });
  const isExpired = `occurred_at < now() - make_interval(days => $2)
      and (event <> all ($1::text[]) or occurred_at < now() - interval '1830 days')`;
  const values = [funnelEventNames, retentionDays];
  await deleteInBatches(sql, { ...columns, statement: `${deleteSettled} and ${isExpired}`, values });
  return deleteInBatches(sql, { ...columns, statement: `${deletePending} and ${isExpired}`, values, counted: true });
}

/** Returns the number of pending events, up to one million, and the seconds since the oldest was stored. */
export async function readPendingStats(sql: ServiceSql): Promise<{ waiting: number; oldest: number }> {
  const [row] = await sql.query<{ waiting: number; oldest: number }>(
    `select count(*)::int as waiting, coalesce(extract(epoch from now() - min(w.received_at)), 0)::float8 as oldest
       from (select received_at from public.analytics_events where ${PENDING_CONDITION} limit 1000000) w`,
  );
  return row!;
}

/** Deletes the events and the analytics choice of a deleted member. */
export async function deleteMemberEvents(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.analytics_events where idp_id = $1`, [idpId]);
  await sql.query(`delete from public.analytics_choices where idp_id = $1`, [idpId]);
  await sql.query(`delete from public.analytics_days where idp_id = $1`, [idpId]);
}

/** Returns whether a member's events may be captured and forwarded. The default is true until an opt-out. */
export async function readChoice(sql: ServiceSql, idpId: string): Promise<boolean> {
  const [row] = await sql.query<{ enabled: boolean }>(
    `select enabled from public.analytics_choices where idp_id = $1`,
    [idpId],
  );
  return row?.enabled ?? true;
}

/**
 * Stores a member's choice. Pending events from before an opt-out, or between opt-out and opt-in, are not forwarded,
 * except for those that a process has claimed and is sending. Rows that the forwarder is writing are skipped, since
 * both could wait for each other. `markLocalOnly` marks those of them that stay pending.
 */
export async function writeChoice(sql: ServiceSql, idpId: string, enabled: boolean): Promise<void> {
  await sql.transaction(async (tx) => {
    await tx.query(
      `update public.analytics_events e set local_only = true
        where (not $2 or exists (select from public.analytics_choices c where c.idp_id = $1 and not c.enabled))
          and e.idp_id = $1 and e.id in (
            select w.id from public.analytics_events w
             where w.idp_id = $1 and ${PENDING_CONDITION} for update skip locked)`,
      [idpId, enabled],
    );
    if (!(await delayDeletion(tx, idpId))) return;
    await tx.query(
      `insert into public.analytics_choices (idp_id, enabled) values ($1, $2)
       on conflict (idp_id) do update set enabled = excluded.enabled, updated_at = excluded.updated_at`,
      [idpId, enabled],
    );
  });
}
