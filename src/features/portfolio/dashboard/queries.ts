import type { MemberSql, ServiceSql } from '../../../platform/database/roles.ts';
import type { RowsSql } from '../net-worth/row-queries.ts';
import type { StoredCard } from './merge-layout.ts';

/** Selects at most one row: the cards of the member `$1`, if the member has changed them. */
export const layoutsSql: RowsSql<{ cards: StoredCard[] }> =
  'select l.cards from public.dashboard_layouts l where l.idp_id = $1';

/** Returns the member's cards, or `undefined` if the member has never changed them. */
export async function readLayout(sql: MemberSql): Promise<StoredCard[] | undefined> {
  const [row] = await sql.query<{ cards: StoredCard[] }>(layoutsSql, [sql.idpId]);
  return row?.cards;
}

export async function writeLayout(sql: MemberSql, idpId: string, cards: readonly StoredCard[]): Promise<void> {
  await sql.query(
    `insert into public.dashboard_layouts (idp_id, cards) values ($1, $2::jsonb)
     on conflict (idp_id) do update set cards = excluded.cards, updated_at = excluded.updated_at`,
    [idpId, JSON.stringify(cards)],
  );
}

/** Deletes the layout of a deleted member, or of the demo account at a reset. */
export async function deleteLayout(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.dashboard_layouts where idp_id = $1`, [idpId]);
}
