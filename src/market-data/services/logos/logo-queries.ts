import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { AssetType } from '../../domain/market-data-provider.ts';

export interface LogoRow {
  ticker_id: number;
  asset_type: AssetType;
  name: string | null;
  /** True if the provider's registry has a logo of the listing. */
  registered: boolean;
  address: string | null;
  image: Buffer | null;
  media_type: string | null;
  /** True if a fetch is due. A logo is refetched each month, and a failed fetch is retried after a day. */
  due: boolean;
}

const OVERDUE_CONDITION = `l.tried_at < now() - case when l.image is null then interval '1 day' else interval '30 days' end`;

/** Returns a listing of the catalog with its stored registry logo. */
export async function findLogo(sql: ServiceSql, symbol: string): Promise<LogoRow | undefined> {
  const [row] = await sql.query<LogoRow>(
    `select t.ticker_id, t.asset_type, t.name, t.logo_source is not distinct from 'registry' as registered, l.address,
       l.image, l.media_type, l.tried_at is null or ${OVERDUE_CONDITION} as due
       from public.tracked_tickers_latest t left join market.logos l using (ticker_id)
      where t.symbol = $1`,
    [symbol],
  );
  return row;
}

/** Claims the due fetch of a logo. Returns false if another process holds it. */
export async function claimLogo(sql: ServiceSql, tickerId: number): Promise<boolean> {
  const rows = await sql.query(
    `insert into market.logos as l (ticker_id, tried_at) values ($1, now())
     on conflict (ticker_id) do update set tried_at = excluded.tried_at
       where l.tried_at is null or ${OVERDUE_CONDITION}
     returning ticker_id`,
    [tickerId],
  );
  return rows.length > 0;
}

/** Stores a fetched logo. Without an image the old one stays. */
export async function storeLogo(
  sql: ServiceSql,
  tickerId: number,
  address: string,
  image: { bytes: Buffer; mediaType: string } | undefined,
): Promise<void> {
  await sql.query(
    `update market.logos set address = $2, image = coalesce($3::bytea, image), media_type = coalesce($4, media_type)
     where ticker_id = $1`,
    [tickerId, address, image?.bytes ?? null, image?.mediaType ?? null],
  );
}
