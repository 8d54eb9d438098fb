import type { ServiceSql } from '../database/roles.ts';
import type { EventProperties } from './contract.ts';

export interface EventRow {
  id: string;
  idp_id: string;
  event: string;
  properties: EventProperties;
  occurred_at: Date;
}

/** Appends events in one statement; those of a member who has been deleted are left out. */
export async function insertEvents(
  sql: ServiceSql,
  events: readonly { idpId: string; event: string; properties: EventProperties; occurredAt: Date }[],
): Promise<void> {
  await sql.query(
    `insert into public.analytics_events (idp_id, event, properties, occurred_at)
     select e.idp_id, e.event, e.properties, e.occurred_at
       from json_to_recordset($1::json) as e (idp_id text, event text, properties jsonb, occurred_at timestamptz)
      where e.idp_id in (select m.idp_id from public.living_members m)`,
    [
      JSON.stringify(
        events.map(({ idpId, event, properties, occurredAt }) => ({
          idp_id: idpId,
          event,
          properties,
          occurred_at: occurredAt,
        })),
      ),
    ],
  );
}

/**
 * The oldest events that were not forwarded yet, held until the transaction ends; those that another worker holds are
 * left out.
 */
export function lockWaitingEvents(sql: ServiceSql, most: number): Promise<EventRow[]> {
  return sql.query<EventRow>(
    `select id, idp_id, event, properties, occurred_at from public.analytics_events
      where forwarded_at is null order by occurred_at limit $1 for update skip locked`,
    [most],
  );
}

export async function markForwarded(
  sql: ServiceSql,
  events: readonly Pick<EventRow, 'idp_id' | 'id'>[],
): Promise<void> {
  await sql.query(
    `update public.analytics_events e set forwarded_at = now()
       from unnest($1::text[], $2::uuid[]) as sent (idp_id, id) where e.idp_id = sent.idp_id and e.id = sent.id`,
    [events.map(({ idp_id }) => idp_id), events.map(({ id }) => id)],
  );
}

/** Removes what the analytics service has had for a month; what was never forwarded stays, being the only copy. */
export async function forgetForwarded(sql: ServiceSql): Promise<void> {
  await sql.query(`delete from public.analytics_events where forwarded_at < now() - interval '30 days'`);
}

/** Removes a deleted member's events, forwarded or not. */
export async function deleteEventsOf(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.analytics_events where idp_id = $1`, [idpId]);
}
