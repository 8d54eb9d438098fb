import type { ReferenceCurrency } from '../../market-data/contract.ts';
import type { MemberSql } from '../../platform/database/roles.ts';
import { accountColumns, type AccountRow } from './account-queries.ts';
import type { StoredCard } from './dashboard/merge-layout.ts';
import { flowsSql } from './flow-queries.ts';
import {
  heldPricesSql,
  type HeldPrice,
  netWorthPartsSql,
  netWorthSql,
  type NetWorthPart,
} from './net-worth-queries.ts';
import type { CurrentNetWorthRow, FlowRow, SnapshotRow } from './net-worth-rows.ts';
import { type AnyHoldingRow, buildHoldingsQuery } from './queries.ts';

/** Rows of a member's portfolio. Amounts are decimal text. */
export interface PortfolioRows {
  /** At most one row: the cards of a member who has changed them. */
  layouts: { cards: StoredCard[] }[];
  /** At most one row: the base currency of a member who has chosen one. */
  settings: { base_currency: ReferenceCurrency }[];
  /** Current net worth per currency. */
  net_worth: CurrentNetWorthRow[];
  /** Amounts whose sums per currency are `net_worth`, by account, then by symbol. */
  net_worth_parts: NetWorthPart[];
  /** Snapshots since a date, per currency, oldest first. */
  snapshots: SnapshotRow[];
  /** Flows after the date, per day and currency. */
  flows: FlowRow[];
  held_prices: HeldPrice[];
  /** Accounts, oldest first, then by name. */
  accounts: AccountRow[];
  /** Manual and connected holdings by account, then by symbol. */
  holdings: AnyHoldingRow[];
}

/** SQL of the rows of the member `$1`, of histories since the date `$2`. JSON would round `numeric`, so it is cast. */
const rowsSql: Readonly<Record<keyof PortfolioRows, string>> = {
  layouts: 'select l.cards from public.dashboard_layouts l where l.idp_id = $1',
  settings: 'select p.base_currency from public.portfolio_settings p where p.idp_id = $1',
  net_worth: netWorthSql,
  net_worth_parts: netWorthPartsSql,
  snapshots: `select s.d::text as date, s.currency, s.cash::text, s.investments::text, s.sample
       from public.net_worth_snapshots s
      where s.idp_id = $1 and s.d >= $2::date order by s.currency, s.d`,
  flows: flowsSql,
  held_prices: heldPricesSql,
  accounts: `select ${accountColumns} from public.accounts a where a.idp_id = $1
      order by a.created_at, a.name, a.id`,
  holdings: buildHoldingsQuery(),
};

interface PortfolioRange {
  idpId: string;
  /** First day of snapshots and flows, YYYY-MM-DD. */
  from?: string;
}

/**
 * Reads these rows in one statement, and therefore from one snapshot: a change between two statements would look like a
 * gain or loss.
 */
export async function readPortfolioRows<Name extends keyof PortfolioRows>(
  sql: MemberSql,
  { idpId, from }: PortfolioRange,
  names: readonly Name[],
): Promise<Pick<PortfolioRows, Name>> {
  const values = from === undefined ? [idpId] : [idpId, from];
  const [row] = await sql.query<Record<Name, Record<string, unknown>[]>>(
    `with ${names.map((name) => `${name} as materialized (${rowsSql[name]})`).join(', ')}
     select ${names.map((name) => `(select coalesce(json_agg(r), '[]') from ${name} r) as ${name}`).join(', ')}`,
    values,
  );
  return Object.fromEntries(names.map((name) => [name, row![name].map(parseTimes)])) as Pick<PortfolioRows, Name>;
}

const timeColumns = ['created_at', 'updated_at', 'price_at', 'as_of'] as const;

/** Returns a row of JSON with times as `Date`, as the driver returns them. */
function parseTimes(row: Readonly<Record<string, unknown>>): object {
  const times = timeColumns.filter((column) => typeof row[column] === 'string');
  return times.length === 0
    ? row
    : { ...row, ...Object.fromEntries(times.map((column) => [column, new Date(row[column] as string)])) };
}
