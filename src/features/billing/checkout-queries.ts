import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Price, Tier, UpgradeEntry } from './contract.ts';

/** Customer of a member at the payment provider. `customer_id` is null until the provider has created the customer. */
interface Customer {
  payer: string;
  customer_id: string | null;
}

export const selectCustomer = (sql: ServiceSql, idpId: string) =>
  queryFirstRow<Customer>(
    sql,
    `select p.payer, p.customer_id from public.billing_customers c
       join public.billing_payers p on p.payer = c.payer where c.idp_id = $1`,
    [idpId],
  );

/** Returns the member's payer pseudonym, generated at the first call. */
export async function insertCustomer(sql: ServiceSql, idpId: string): Promise<Customer> {
  await sql.query(
    `with new_payer as (
       insert into public.billing_payers default values returning payer)
     insert into public.billing_customers (idp_id, payer) select $1, n.payer from new_payer n
     on conflict (idp_id) do nothing`,
    [idpId],
  );
  return (await selectCustomer(sql, idpId))!;
}

export async function storeCustomerId(sql: ServiceSql, payer: string, customerId: string): Promise<void> {
  await sql.query(`update public.billing_payers p set customer_id = $2 where p.payer = $1 and p.customer_id is null`, [
    payer,
    customerId,
  ]);
}

export async function selectPriceId(sql: ServiceSql, tier: Tier, price: Price): Promise<string | undefined> {
  const [row] = await sql.query<{ price_id: string }>(
    `select p.price_id from public.billing_prices p
      where p.tier = $1 and p.amount_minor = $2 and p.currency = $3 and p.price_interval = $4
      order by p.created_at desc limit 1`,
    [tier, price.amount_minor, price.currency, price.interval],
  );
  return row?.price_id;
}

export async function insertPrice(sql: ServiceSql, priceId: string, tier: Tier, price: Price): Promise<void> {
  await sql.query(
    `insert into public.billing_prices (price_id, tier, amount_minor, currency, price_interval)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [priceId, tier, price.amount_minor, price.currency, price.interval],
  );
}

export interface CheckoutRow {
  id: string;
  tier: Tier;
  entry_source: UpgradeEntry | null;
  status: 'creating' | 'open' | 'complete' | 'expired';
  origin: string;
  price_id: string;
  session_id: string | null;
  url: string | null;
  expires_at: Date;
}

/** Ordered plan of a checkout. */
export type OrderedCheckout = Pick<CheckoutRow, 'id' | 'tier' | 'entry_source'>;

const COLUMNS = 'k.id, k.tier, k.entry_source, k.status, k.origin, k.price_id, k.session_id, k.url, k.expires_at';

/** Returns the checkout that can still be paid. */
export const selectOpenCheckout = (sql: ServiceSql, idpId: string) =>
  queryFirstRow<CheckoutRow>(
    sql,
    `select ${COLUMNS} from public.billing_checkouts k where k.idp_id = $1 and k.status in ('creating', 'open')`,
    [idpId],
  );

export const selectCheckout = (sql: ServiceSql, idpId: string, id: string) =>
  queryFirstRow<CheckoutRow>(
    sql,
    `select ${COLUMNS} from public.billing_checkouts k where k.idp_id = $1 and k.id = $2`,
    [idpId, id],
  );

/** Creates a checkout. Returns `undefined` if another checkout can still be paid. */
export const insertCheckout = (
  sql: ServiceSql,
  idpId: string,
  order: { tier: Tier; entry: UpgradeEntry | null; origin: string; priceId: string },
) =>
  queryFirstRow<CheckoutRow>(
    sql,
    `insert into public.billing_checkouts as k (idp_id, tier, entry_source, origin, price_id)
     values ($1, $2, $3, $4, $5)
     on conflict (idp_id) where status in ('creating', 'open') do nothing
     returning ${COLUMNS}`,
    [idpId, order.tier, order.entry, order.origin, order.priceId],
  );

/** Stores the payment session of a checkout. Returns the checkout if this call opened it. */
export async function storeCheckoutSession(
  sql: ServiceSql,
  idpId: string,
  id: string,
  session: { sessionId: string; url: string | null; expiresAt: Date },
): Promise<OrderedCheckout | undefined> {
  const row = await queryFirstRow<OrderedCheckout & { previous_status: string }>(
    sql,
    `update public.billing_checkouts k set session_id = $3, url = $4, expires_at = $5,
            status = case when k.status = 'creating' then 'open' else k.status end
      where k.idp_id = $1 and k.id = $2
      returning k.id, k.tier, k.entry_source,
        (select o.status from public.billing_checkouts o where o.idp_id = $1 and o.id = $2) as previous_status`,
    [idpId, id, session.sessionId, session.url, session.expiresAt],
  );
  return row?.previous_status === 'creating' ? row : undefined;
}

/** Closes a checkout. A completed checkout stays completed. Returns the checkout if this call closed it. */
export const closeCheckout = (sql: ServiceSql, idpId: string, id: string, status: 'complete' | 'expired') =>
  queryFirstRow<OrderedCheckout>(
    sql,
    `update public.billing_checkouts k set status = $3
      where k.idp_id = $1 and k.id = $2 and k.status not in ('complete', $3)
      returning k.id, k.tier, k.entry_source`,
    [idpId, id, status],
  );
