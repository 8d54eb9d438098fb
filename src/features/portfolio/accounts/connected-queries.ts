import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { ConnectedHolding, ConnectedPortfolio } from './contract.ts';
import { recordFlows, withFlows } from '../net-worth/flow-queries.ts';

/**
 * Replaces the stored data of a connection by a complete reading, in separate statements: remap ids, delete stale rows,
 * upsert. Ids and the member's names are kept. The caller must hold the member's lock in a transaction.
 */
export function replaceConnectedPortfolio(sql: ServiceSql, portfolio: ConnectedPortfolio): Promise<void> {
  return recordFlows(sql, portfolio.idpId, () => replaceRows(sql, portfolio));
}

async function replaceRows(sql: ServiceSql, portfolio: ConnectedPortfolio): Promise<void> {
  const { idpId, connectionId, holdings } = portfolio;
  await remapExternalIds(sql, portfolio);
  if (portfolio.hasNewExternalIds) await markLeftOut(sql, portfolio);
  await deleteStaleAccounts(sql, portfolio);
  await upsertAccounts(sql, portfolio);
  if (!holdings) return;
  await deleteStaleHoldings(sql, idpId, connectionId, holdings);
  await upsertHoldings(sql, idpId, connectionId, holdings);
}

/** Without holdings, accounts of other currencies are kept, because their cash is read with the holdings. */
async function deleteStaleAccounts(
  sql: ServiceSql,
  { idpId, connectionId, accounts, holdings }: ConnectedPortfolio,
): Promise<void> {
  await sql.query(
    `delete from public.accounts a
      where a.idp_id = $1 and a.connection_id = $2 and a.left_out_at is null
        and not exists (
          select from jsonb_to_recordset($3::jsonb) as r ("externalId" text, currency text)
           where r."externalId" = a.external_id and (r.currency = a.currency or not $4::boolean))`,
    [idpId, connectionId, JSON.stringify(accounts), holdings !== null],
  );
}

/** Inserts or updates accounts. A balance of null keeps the stored one. */
async function upsertAccounts(
  sql: ServiceSql,
  { idpId, connectionId, kind, accounts }: ConnectedPortfolio,
): Promise<void> {
  await sql.query(
    `insert into public.accounts as a
       (idp_id, connection_id, kind, external_id, currency, name, original_name, mask, type, balance)
     select $1, $2, $3, r."externalId", r.currency, r.name, r.name, r.mask, r.type,
            coalesce(r.balance, stored.balance, 0)
       from jsonb_to_recordset($4::jsonb) as r ("externalId" text, name text, mask text, type text, currency text,
              balance numeric)
       left join public.accounts stored on stored.idp_id = $1 and stored.connection_id = $2
             and stored.external_id = r."externalId" and stored.currency = r.currency
     on conflict (idp_id, connection_id, external_id, currency) do update
       set original_name = excluded.original_name, mask = excluded.mask, type = excluded.type,
           balance = excluded.balance, updated_at = excluded.updated_at, left_out_at = null`,
    [idpId, connectionId, kind, JSON.stringify(accounts)],
  );
}

/** Gives stored accounts of an older access the external ids of new accounts with equal name, digits and currency. */
async function remapExternalIds(
  sql: ServiceSql,
  { idpId, connectionId, accounts, hasNewExternalIds = false }: ConnectedPortfolio,
): Promise<void> {
  await sql.query(
    `with incoming as (
       select t.*, row_number() over (partition by t.name, t.mask, t.currency order by t."externalId") as n
         from jsonb_to_recordset($3::jsonb) as t ("externalId" text, name text, mask text, currency text)
     ), stored as (
       select s.id, s.original_name, s.mask, s.currency,
              row_number() over (partition by s.original_name, s.mask, s.currency order by s.external_id) as n
         from public.accounts s where s.idp_id = $1 and s.connection_id = $2 and ($4 or s.left_out_at is not null)
     )
     update public.accounts a set external_id = incoming."externalId"
       from stored join incoming on incoming.name = stored.original_name
             and incoming.mask is not distinct from stored.mask and incoming.currency = stored.currency and incoming.n = stored.n
      where a.idp_id = $1 and a.id = stored.id`,
    [idpId, connectionId, JSON.stringify(accounts), hasNewExternalIds],
  );
}

/** Marks stored accounts that the new access lacks. They keep their last figures. */
async function markLeftOut(sql: ServiceSql, { idpId, connectionId, accounts }: ConnectedPortfolio): Promise<void> {
  await sql.query(
    `update public.accounts a set left_out_at = now()
      where a.idp_id = $1 and a.connection_id = $2 and not (a.external_id = any($3::text[]))`,
    [idpId, connectionId, accounts.map(({ externalId }) => externalId)],
  );
}

/** Deletes an account that its connection no longer has. Returns false if there is none. */
export function deleteLeftOut(sql: ServiceSql, idpId: string, id: string): Promise<boolean> {
  return withFlows(sql, idpId, async (transaction) => {
    const rows = await transaction.query(
      `delete from public.accounts where idp_id = $1 and id = $2 and left_out_at is not null returning id`,
      [idpId, id],
    );
    return rows.length > 0;
  });
}

/** Holdings of a reading with their stored accounts: the account of the holding's currency, else the oldest. */
const HOLDINGS_WITH_ACCOUNTS_CTE = `holdings_with_accounts as (
  select a.id as account_id, h.*
    from jsonb_to_recordset($3::jsonb) as h ("accountId" text, "externalId" text, symbol text, name text,
      quantity numeric, "costBasis" numeric, currency text, value numeric, "asOf" timestamptz)
   cross join lateral (
     select o.id from public.accounts o
      where o.idp_id = $1 and o.connection_id = $2 and o.external_id = h."accountId"
      order by (o.currency = h.currency) desc, o.created_at, o.id limit 1) a
)`;

async function deleteStaleHoldings(
  sql: ServiceSql,
  idpId: string,
  connectionId: string,
  holdings: readonly ConnectedHolding[],
): Promise<void> {
  await sql.query(
    `with ${HOLDINGS_WITH_ACCOUNTS_CTE}
     delete from public.connected_holdings c using public.accounts a
      where a.idp_id = $1 and a.connection_id = $2 and c.idp_id = $1 and c.account_id = a.id
        and not exists (select from holdings_with_accounts r
          where r.account_id = c.account_id and r."externalId" = c.external_id)`,
    [idpId, connectionId, JSON.stringify(holdings)],
  );
}

async function upsertHoldings(
  sql: ServiceSql,
  idpId: string,
  connectionId: string,
  holdings: readonly ConnectedHolding[],
): Promise<void> {
  await sql.query(
    `with ${HOLDINGS_WITH_ACCOUNTS_CTE}
     insert into public.connected_holdings as c
       (idp_id, account_id, external_id, symbol, name, quantity, cost_basis, currency, institution_value, as_of)
     select $1, r.account_id, r."externalId", r.symbol, r.name, r.quantity, r."costBasis", r.currency, r.value, r."asOf"
       from holdings_with_accounts r
     on conflict (idp_id, account_id, external_id) do update
       set symbol = excluded.symbol, name = excluded.name, quantity = excluded.quantity,
           cost_basis = excluded.cost_basis, currency = excluded.currency,
           institution_value = excluded.institution_value, as_of = excluded.as_of`,
    [idpId, connectionId, JSON.stringify(holdings)],
  );
}

/**
 * Returns the currencies of those symbols that are counted in shares. A bond's price is a percentage of its face value.
 */
export async function readShareCurrencies(
  sql: ServiceSql,
  symbols: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await sql.query<{ symbol: string; currency: string | null }>(
    `select t.symbol, t.currency from public.listings t
      where t.symbol = any($1::text[]) and t.asset_type <> 'bond'`,
    [symbols],
  );
  return new Map(rows.map(({ symbol, currency }) => [symbol, currency]));
}

/** Renames a connected account, which the member's database role may not update. */
export async function renameConnected(sql: ServiceSql, idpId: string, id: string, name: string): Promise<boolean> {
  const rows = await sql.query(
    `update public.accounts set name = $3, updated_at = now()
      where idp_id = $1 and id = $2 and kind <> 'manual' returning id`,
    [idpId, id, name],
  );
  return rows.length > 0;
}
