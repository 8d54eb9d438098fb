import type pg from 'pg';
import { isOwnSchema } from './database-lints/own-schemas.ts';

/**
 * Rows of the columns of a constraint, as SQL. The accepted ones are at the edges of the allowed range and are in the
 * table together; each rejected one comes after them.
 */
interface ConstraintCase {
  columns: string;
  accepted: readonly string[];
  rejected: readonly string[];
}

const quote = (value: string): string => `'${value}'`;

const oneOf = (columns: string, ...values: string[]): ConstraintCase => ({
  columns,
  accepted: [...values.map(quote), 'null'],
  rejected: [quote('other'), quote(''), quote(values[0]!.toUpperCase() === values[0] ? 'x' : values[0]!.toUpperCase())],
});
/** Characters, of which each takes two bytes. */
const characters = (columns: string, least: number, most: number): ConstraintCase => ({
  columns,
  accepted: [`repeat('ä', ${least})`, `repeat('ä', ${most})`],
  rejected: [...(least > 0 ? [`repeat('ä', ${least - 1})`] : []), `repeat('ä', ${most + 1})`],
});
const bytes = (columns: string, least: number, most = least): ConstraintCase => ({
  columns,
  accepted: [`decode(repeat('00', ${least}), 'hex')`, `decode(repeat('00', ${most}), 'hex')`],
  rejected: [`decode(repeat('00', ${least - 1}), 'hex')`, `decode(repeat('00', ${most + 1}), 'hex')`],
});
/** NaN is greater than every number in PostgreSQL. A single NaN would turn a whole net worth into NaN. */
const numbers = (columns: string, accepted: readonly string[], rejected: readonly string[]): ConstraintCase => ({
  columns,
  accepted: [...accepted, 'null'],
  rejected,
});
const money = (columns: string): ConstraintCase =>
  numbers(columns, ['-1e15', '1e15'], ['-1e15 - 1', '1e15 + 1', quote('NaN')]);
const price = (columns: string): ConstraintCase =>
  numbers(columns, ['0', '1e15'], ['-0.01', quote('NaN'), quote('Infinity')]);
const count = (columns: string): ConstraintCase => numbers(columns, ['0'], ['-1']);
const currency = (columns: string): ConstraintCase => ({
  columns,
  accepted: [quote('EUR'), 'null'],
  rejected: [`'eur'`, `'EURO'`, `'EU'`, `''`],
});
/** Columns that are null together. */
const together = (columns: string, row: string, ...partial: string[]): ConstraintCase => ({
  columns,
  accepted: [row, row.replaceAll(/[^,]+/g, 'null')],
  rejected: partial,
});
const unique = (columns: string, accepted: readonly string[], rejected: readonly string[]): ConstraintCase => ({
  columns,
  accepted,
  rejected,
});
/** A single unique value, which may be absent from several rows. */
const key = (columns: string): ConstraintCase =>
  unique(columns, [quote('1'), quote('2'), 'null', 'null'], [quote('1')]);

/** Cases of every check and unique constraint, and of the unique indexes beside them. */
export const constraintCases: Readonly<Record<string, ConstraintCase>> = {
  accounts_balance_check: money('balance'),
  accounts_connection_kind: {
    columns: 'kind, connection_id',
    accepted: [`'manual', null`, `'bank', gen_random_uuid()`, `'bank', null`],
    rejected: [`'manual', gen_random_uuid()`],
  },
  accounts_connection_names: together(
    'connection_id, external_id',
    `gen_random_uuid(), 'x'`,
    `gen_random_uuid(), null`,
    `null, 'x'`,
  ),
  accounts_currency_check: currency('currency'),
  accounts_idp_id_connection_id_external_id_currency_key: unique(
    'idp_id, connection_id, external_id, currency',
    [
      `'a', ${uuid(1)}, 'x', 'EUR'`,
      `'b', ${uuid(1)}, 'x', 'EUR'`,
      `'a', ${uuid(2)}, 'x', 'EUR'`,
      `'a', ${uuid(1)}, 'y', 'EUR'`,
      `'a', ${uuid(1)}, 'x', 'USD'`,
    ],
    [`'a', ${uuid(1)}, 'x', 'EUR'`],
  ),
  accounts_idp_id_id_kind_key: unique('idp_id, id, kind', [`'a', ${uuid(1)}, 'bank'`], [`'a', ${uuid(1)}, 'bank'`]),
  accounts_kind_check: oneOf('kind', 'manual', 'bank', 'brokerage'),
  accounts_mask_check: characters('mask', 1, 16),
  accounts_name_check: characters('name', 1, 120),
  accounts_original_name_check: characters('original_name', 1, 120),
  accounts_type_check: characters('type', 1, 60),
  alert_settings_unsubscribe_code_check: {
    columns: 'unsubscribe_code',
    accepted: [`repeat('a', 64)`, `repeat('0', 64)`],
    rejected: [`repeat('a', 63)`, `repeat('a', 65)`, `repeat('g', 64)`],
  },
  alerts_kind_check: oneOf('kind', 'above', 'below', 'move'),
  alerts_note_check: characters('note', 1, 200),
  alerts_repeats_check: oneOf('repeats', 'once', 'daily'),
  alerts_threshold_check: numbers('threshold', ['1e-9', '1e9'], ['0', '-1', '1e9 + 1', quote('NaN')]),
  all_users_email_check: characters('email', 0, 320),
  all_users_idp_id_check: {
    columns: 'idp_id',
    accepted: [`'a'`, `repeat('aZ_-', 32)`],
    rejected: [`''`, `'a b'`, `'ä'`, `repeat('a', 129)`],
  },
  all_users_referral_link_check: {
    columns: 'referral_link',
    accepted: [`'23456789AHJz'`, 'null'],
    rejected: [`''`, `'23456789AHJ'`, `'23456789AHJzz'`, `'0AAAAAAAAAAA'`, `'1AAAAAAAAAAA'`, `'OAAAAAAAAAAA'`],
  },
  all_users_referral_link_key: key('referral_link'),
  analytics_events_event_check: characters('event', 1, 100),
  api_keys_hint_check: characters('hint', 4, 4),
  api_keys_key_hash_check: bytes('key_hash', 32),
  api_keys_key_hash_key: key('key_hash'),
  api_keys_name_check: characters('name', 1, 120),
  assistant_conversations_symbol_check: characters('symbol', 0, 32),
  assistant_conversations_title_check: characters('title', 1, 120),
  assistant_messages_one_answering: unique(
    'idp_id, conversation_id, status',
    [
      `'a', ${uuid(1)}, 'answering'`,
      `'b', ${uuid(1)}, 'answering'`,
      `'a', ${uuid(2)}, 'answering'`,
      `'a', ${uuid(1)}, 'done'`,
      `'a', ${uuid(1)}, 'done'`,
    ],
    [`'a', ${uuid(1)}, 'answering'`],
  ),
  assistant_messages_parts_check: {
    columns: 'parts',
    // Two quotes and two brackets are added to the text. The limit counts bytes, not characters.
    accepted: [`'[]'`, `jsonb_build_array(repeat('a', 1999996))`],
    rejected: [`jsonb_build_array(repeat('a', 1999997))`, `jsonb_build_array(repeat('ä', 999999))`, `'{}'`, `'null'`],
  },
  assistant_messages_role: {
    columns: 'role, text, status',
    accepted: [`'member', 'x', null`, `'assistant', null, 'done'`],
    rejected: [`'member', null, null`, `'member', 'x', 'done'`, `'assistant', 'x', 'done'`, `'assistant', null, null`],
  },
  assistant_messages_role_check: oneOf('role', 'member', 'assistant'),
  assistant_messages_status_check: oneOf('status', 'answering', 'done', 'failed'),
  assistant_messages_symbol_check: characters('symbol', 0, 32),
  assistant_messages_text_check: characters('text', 0, 2000),
  assistant_tokens_expires_at_check: {
    columns: 'expires_at',
    accepted: ['now()'],
    rejected: [`'infinity'`, `'-infinity'`],
  },
  assistant_tokens_hint_check: characters('hint', 4, 4),
  assistant_tokens_name_check: characters('name', 1, 120),
  assistant_tokens_scopes_check: {
    columns: 'scopes',
    accepted: [`'{reports}'`, `'{sql}'`, `'{reports,sql}'`],
    rejected: [`'{}'`, `'{other}'`, `'{reports,other}'`, `'{reports,sql,sql}'`],
  },
  assistant_tokens_token_hash_check: bytes('token_hash', 32),
  assistant_usage_reserved_check: count('reserved'),
  assistant_usage_spent_check: count('spent'),
  billing_checkouts_entry_source_check: oneOf('entry_source', 'watchlist_limit', 'watchlist_locked'),
  billing_checkouts_one_open: unique(
    'idp_id, status',
    [`'a', 'open'`, `'b', 'creating'`, `'a', 'complete'`, `'a', 'complete'`, `'a', 'expired'`, `'a', 'expired'`],
    [`'a', 'open'`, `'a', 'creating'`, `'b', 'open'`],
  ),
  billing_checkouts_status_check: oneOf('status', 'creating', 'open', 'complete', 'expired'),
  billing_movements_kind_check: oneOf('kind', 'new', 'expansion', 'contraction', 'churn', 'reactivation'),
  billing_movements_mrr_minor_check: numbers('mrr_minor', ['1', '-1'], ['0']),
  billing_payers_customer_id_key: key('customer_id'),
  billing_refunds_and_disputes_kind_check: oneOf('kind', 'refund', 'dispute'),
  clients_token_hash_key: key('token_hash'),
  connected_holdings_cost_basis_check: money('cost_basis'),
  connected_holdings_currency_check: currency('currency'),
  connected_holdings_idp_id_account_id_external_id_key: unique(
    'idp_id, account_id, external_id',
    [`'a', ${uuid(1)}, 'x'`, `'b', ${uuid(1)}, 'x'`, `'a', ${uuid(2)}, 'x'`, `'a', ${uuid(1)}, 'y'`],
    [`'a', ${uuid(1)}, 'x'`],
  ),
  connected_holdings_institution_value_check: money('institution_value'),
  connected_holdings_listed: {
    columns: 'symbol, quantity',
    accepted: [`'AAPL', 0.1`, `null, -1`, `null, 0`],
    rejected: [`'AAPL', 0`, `'AAPL', -1`],
  },
  connected_holdings_name_check: characters('name', 1, 300),
  connected_holdings_quantity_check: numbers('quantity', ['-1e12', '1e12'], ['-1e12 - 1', '1e12 + 1', quote('NaN')]),
  connection_attempts_credential: together('external_id, sealed_credential', `'x', 'x'`, `'x', null`, `null, 'x'`),
  connection_attempts_kind_check: oneOf('kind', 'bank', 'brokerage'),
  connection_attempts_reference_hash_check: bytes('reference_hash', 32),
  connection_attempts_state_check: oneOf('state', 'open', 'connected', 'abandoned', 'failed', 'duplicate'),
  connections_idp_id_id_kind_key: unique('idp_id, id, kind', [`'a', ${uuid(1)}, 'bank'`], [`'a', ${uuid(1)}, 'bank'`]),
  connections_idp_id_provider_external_id_key: unique(
    'idp_id, provider, external_id',
    [`'a', 'p', 'x'`, `'b', 'p', 'x'`, `'a', 'q', 'x'`, `'a', 'p', 'y'`],
    [`'a', 'p', 'x'`],
  ),
  connections_institution_check: characters('institution', 1, 200),
  connections_kind_check: oneOf('kind', 'bank', 'brokerage'),
  connections_status_check: oneOf('status', 'active', 'login_required', 'expiring', 'revoked'),
  dashboard_layouts_cards_check: {
    columns: 'cards',
    accepted: [`'[]'`, `jsonb_build_array(repeat('a', 3996))`],
    rejected: [
      `jsonb_build_array(repeat('a', 3997))`,
      `jsonb_build_array(repeat('ä', 1999))`,
      `'{}'`,
      `'null'`,
      `'"[]"'`,
    ],
  },
  declared_units_unit_check: oneOf('unit', 'GBp', 'GBX', 'ZAc', 'ZAC', 'ILA'),
  deleted_members_idp_id_hash_check: bytes('idp_id_hash', 32),
  demo_access_audit_actor_check: oneOf('actor', 'operator', 'viewer', 'reconciler'),
  demo_access_audit_outcome_check: characters('outcome', 1, 300),
  demo_access_invitations_label_check: characters('label', 1, 120),
  demo_access_invitations_revocation: {
    columns: 'revoked_at, revoke_requested_at',
    accepted: ['now(), now()', 'null, now()', 'null, null'],
    rejected: ['now(), null'],
  },
  demo_access_invitations_session_id_key: key('session_id'),
  demo_access_invitations_session_outcome_check: oneOf('session_outcome', 'over', 'not_found'),
  demo_access_invitations_ticket: together('ticket_hash, token_id', `'x', 'x'`, `'x', null`, `null, 'x'`),
  demo_access_invitations_ticket_hash_check: bytes('ticket_hash', 32),
  demo_access_invitations_ticket_outcome_check: oneOf('ticket_outcome', 'revoked', 'consumed', 'not_found', 'expired'),
  demo_access_invitations_use: together('used_at, session_id', `now(), 'x'`, 'now(), null', `null, 'x'`),
  earnings_when_check: oneOf('"when"', 'bmo', 'amc'),
  exchange_rates_currency_check: currency('currency'),
  exchange_rates_rate_check: numbers('rate', ['0.0001', '1e6'], ['0', '-1', quote('NaN'), quote('Infinity')]),
  exchange_rates_source_check: oneOf('source', 'ecb', 'simulator'),
  feature_flags_flag_check: {
    columns: 'flag',
    accepted: [`'a-1'`, `repeat('a', 100)`],
    rejected: [`''`, `'A'`, `'a_b'`, `repeat('a', 101)`],
  },
  feature_flags_percentage_check: numbers('percentage', ['0', '100'], ['-1', '101']),
  fired_alerts_kind_check: oneOf('kind', 'above', 'below', 'move'),
  first_connections_kind_check: oneOf('kind', 'bank', 'brokerage'),
  identity_webhook_deliveries_delivery_id_check: characters('delivery_id', 1, 256),
  import_columns_columns_check: {
    columns: 'columns',
    accepted: [`array['symbol']`, `array_fill('ignore'::text, array[200])`, 'null'],
    rejected: [`'{}'::text[]`, `array_fill('ignore'::text, array[201])`],
  },
  import_columns_header_key_check: {
    columns: 'header_key',
    accepted: [`repeat('a', 64)`, `repeat('0', 64)`],
    rejected: [`repeat('a', 63)`, `repeat('a', 65)`, `repeat('g', 64)`],
  },
  import_columns_kind_check: oneOf('kind', 'positions', 'transactions'),
  items_access_token_hash_key: key('access_token_hash'),
  last_backup_only_row_check: { columns: 'only_row', accepted: ['true'], rejected: ['false'] },
  link_sessions_public_token_hash_key: key('public_token_hash'),
  listing_copies_symbol_key: key('symbol'),
  logos_address_check: {
    columns: 'address',
    accepted: [`'https://example.com/a.png'`, `'http://example.com/a.png'`],
    rejected: [`'javascript:alert(1)'`, `'/a.png'`, `'ftp://https://example.com'`],
  },
  logos_check: together('image, media_type', `'x', 'image/png'`, `'x', null`, `null, 'image/png'`),
  logos_image_check: bytes('image', 1, 102400),
  logos_media_type_check: oneOf('media_type', 'image/png', 'image/jpeg', 'image/webp', 'image/gif'),
  manual_public_holdings_cost_basis_check: numbers('cost_basis', ['0', '1e15'], ['-0.01', '1e15 + 1', quote('NaN')]),
  manual_public_holdings_quantity_check: numbers(
    'quantity',
    ['0.0000000001', '1e12'],
    ['0', '-1', '1e12 + 1', quote('NaN')],
  ),
  net_worth_flows_currency_check: currency('currency'),
  net_worth_flows_symbol_check: characters('symbol', 1, 32),
  net_worth_flows_unvalued: {
    columns: 'amount, symbol, quantity',
    accepted: ['1, null, null', `null, 'AAPL', 1`],
    rejected: ['null, null, null', `null, 'AAPL', null`, 'null, null, 1'],
  },
  net_worth_flows_valued: together('amount, currency', `1, 'EUR'`, '1, null', `null, 'EUR'`),
  net_worth_snapshots_currency_check: currency('currency'),
  one_time_links_purpose_check: oneOf('purpose', 'reset_password', 'verify_email', 'change_email'),
  organisations_name_check: characters('name', 1, 120),
  organisations_operator_name: unique(
    'name, owner_idp_id',
    [`'x', null`, `'y', null`, `'x', 'a'`, `'x', 'b'`],
    [`'x', null`],
  ),
  organisations_owner_idp_id: unique(
    'name, owner_idp_id',
    [`'x', null`, `'x', null`, `'x', 'a'`, `'x', 'b'`],
    [`'y', 'a'`],
  ),
  organisations_usage_tier_check: numbers('usage_tier', ['1', '4'], ['0', '5']),
  passkey_challenges_check: {
    columns: 'purpose, session_id, browser_hash',
    accepted: [`'sign_in', null, 'x'`, `'registration', 'x', null`, `'reverification', 'x', null`],
    rejected: [
      `'sign_in', 'x', 'x'`,
      `'sign_in', null, null`,
      `'registration', null, null`,
      `'registration', 'x', 'x'`,
      `'reverification', null, 'x'`,
    ],
  },
  passkey_challenges_purpose_check: oneOf('purpose', 'registration', 'sign_in', 'reverification'),
  passkeys_credential_id_key: key('credential_id'),
  payment_webhook_events_event_id_check: characters('event_id', 1, 256),
  plans_free_has_no_price: {
    columns: 'tier, price_minor',
    accepted: [`'free', null`, `'pro', 1`, `'pro', null`],
    rejected: [`'free', 1`],
  },
  plans_price_currency_check: currency('price_currency'),
  plans_price_interval_check: oneOf('price_interval', 'month', 'year'),
  plans_price_minor_check: numbers('price_minor', ['1'], ['0', '-1']),
  plans_price_whole: together(
    'price_minor, price_currency, price_interval',
    `1, 'EUR', 'month'`,
    "null, null, 'month'",
    `1, 'EUR', null`,
  ),
  plans_tier_check: oneOf('tier', 'free', 'pro', 'max'),
  plans_watchlist_limit_check: numbers('watchlist_limit', ['1'], ['0', '-1']),
  portfolio_settings_base_currency_check: currency('base_currency'),
  provider_calls_period_check: oneOf('period', 'minute', 'day'),
  provider_calls_quotes_check: count('quotes'),
  provider_calls_used_check: count('used'),
  referral_audit_action_check: oneOf('action', 'attributed', 'replaced'),
  referral_audit_reason_check: characters('reason', 1, 300),
  referrals_completion: {
    columns: 'status, completed_at',
    accepted: [`'completed', now()`, `'signed_up', null`],
    rejected: [`'completed', null`, `'signed_up', now()`],
  },
  referrals_of_another: {
    columns: 'referrer_idp_id, referred_idp_id',
    accepted: [`'a', 'b'`],
    rejected: [`'a', 'a'`],
  },
  referrals_referred_idp_id_key: key('referred_idp_id'),
  referrals_source_check: oneOf('source', 'public', 'webhook', 'operator'),
  referrals_status_check: oneOf('status', 'signed_up', 'completed'),
  sessions_status_check: oneOf('status', 'active', 'ended', 'removed', 'replaced', 'revoked'),
  sign_in_tokens_status_check: oneOf('status', 'pending', 'accepted', 'revoked'),
  signing_keys_one: unique('kid', [`'x'`], [`'y'`]),
  signing_keys_one_current: unique('kid, retired_at', [`'x', null`, `'y', now()`, `'z', now()`], [`'w', null`]),
  subscriptions_status_check: oneOf(
    'status',
    'incomplete',
    'incomplete_expired',
    'trialing',
    'active',
    'past_due',
    'canceled',
    'unpaid',
    'paused',
  ),
  tier_grants_tier_check: { columns: 'tier', accepted: [`'pro'`, `'max'`], rejected: [`'free'`] },
  totp_factors_id_key: key('id'),
  tracked_tickers_historical_close_check: price('close'),
  tracked_tickers_latest_asset_type_check: oneOf('asset_type', 'stock', 'etf', 'mutual_fund', 'bond'),
  ...Object.fromEntries(
    ['change_1d', 'change_amount'].map((column) => [
      `tracked_tickers_latest_${column}_check`,
      numbers(column, ['-5', '5'], [quote('NaN'), quote('Infinity'), quote('-Infinity')]),
    ]),
  ),
  // Funds and bonds have no day change, since their price is daily.
  tracked_tickers_latest_check: {
    columns: 'asset_type, change_1d, change_amount, prev_close',
    accepted: [`'stock', 1, 1, 1`, `'etf', 1, 1, 1`, `'mutual_fund', null, null, null`, `'bond', null, null, null`],
    rejected: ['mutual_fund', 'bond'].flatMap((type) => [
      `'${type}', 0, null, null`,
      `'${type}', null, 0, null`,
      `'${type}', null, null, 1.5`,
    ]),
  },
  tracked_tickers_latest_currency_check: currency('currency'),
  ...Object.fromEntries(
    ['current_price', 'prev_close', 'open', 'day_low', 'day_high', 'market_cap'].map((column) => [
      `tracked_tickers_latest_${column}_check`,
      price(column),
    ]),
  ),
  tracked_tickers_latest_declared_unit_check: oneOf('declared_unit', 'GBp', 'GBX', 'ZAc', 'ZAC', 'ILA'),
  tracked_tickers_latest_delayed_minutes_check: count('delayed_minutes'),
  tracked_tickers_latest_fund_assets_check: numbers(
    'fund_assets',
    ['0.01', '1e15'],
    ['0', '-1', quote('NaN'), quote('Infinity')],
  ),
  tracked_tickers_latest_isin_check: {
    columns: 'isin',
    accepted: [`'US0378331005'`, 'null'],
    rejected: [`''`, `'us0378331005'`, `'US037833100'`, `'US03783310055'`, `'US037833100X'`],
  },
  tracked_tickers_latest_logo_check: {
    columns: 'logo',
    accepted: [`'https://example.com/a.png'`, `'/logos/a'`, 'null'],
    rejected: [`'javascript:alert(1)'`, `'http://example.com/a.png'`, `'data:image/png,'`],
  },
  tracked_tickers_latest_logo_source_check: oneOf('logo_source', 'registry', 'issuer'),
  tracked_tickers_latest_symbol_check: {
    columns: 'symbol',
    accepted: [`'US10Y'`, `'BRK.B'`, `repeat('A', 32)`],
    rejected: [`''`, `'us10y'`, `'A B'`, `'A''B'`, `'.A'`, `repeat('A', 33)`],
  },
  tracked_tickers_latest_ticker_id_key: unique('ticker_id', ['1', '2'], ['1']),
  tracked_tickers_latest_volume_check: count('volume'),
  users_email: unique('email', [`'a@example.com'`, `'b@example.com'`], [`'a@example.com'`, `'A@Example.com'`]),
  users_email_address_id_key: key('email_address_id'),
  users_new_email_id_key: key('new_email_id'),
  watchlist_items_idp_id_symbol_key: unique(
    'idp_id, symbol',
    [`'a', 'AAPL'`, `'b', 'AAPL'`, `'a', 'MSFT'`],
    [`'a', 'AAPL'`],
  ),
  watchlist_items_position: unique('idp_id, position', [`'a', 1`, `'b', 1`, `'a', 2`], [`'a', 1`]),
  watchlist_items_position_check: numbers('position', ['1'], ['0', '-1']),
  // A member may write this value, but no response can represent it.
  watchlist_items_updated_at_finite: {
    columns: 'updated_at',
    accepted: ['now()'],
    rejected: [`'infinity'`, `'-infinity'`],
  },
};

function uuid(digit: number): string {
  return `'00000000-0000-4000-8000-00000000000${digit}'`;
}

interface Constraint {
  name: string;
  table: string;
  /** SQL that adds it to the table `copy`. */
  add: string;
}

/** Returns every check and unique constraint of our schemas, and every unique index beside them. */
export async function listConstraints(client: pg.Client): Promise<Constraint[]> {
  const { rows } = await client.query<Constraint>(`
    select k.conname::text as name, k.conrelid::regclass::text as table,
           'alter table copy add constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid) as add
      from pg_constraint k join pg_namespace n on n.oid = k.connamespace and ${isOwnSchema}
     where k.contype in ('u', 'c') and k.conrelid <> 0
    union all
    select c.relname::text, i.indrelid::regclass::text,
           regexp_replace(pg_get_indexdef(i.indexrelid), ' ON \\S+ ', ' ON copy ')
      from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
       and ${isOwnSchema} and i.indisunique
     where not exists (select from pg_constraint k where k.conindid = i.indexrelid)
     order by 1, 2`);
  return rows;
}

/**
 * Returns the rows of the case that the constraint treats otherwise than expected. It is tried on a copy of its table
 * without other rules. Must run in a transaction, which is rolled back.
 */
export async function findWrongRows(client: pg.Client, { table, add, name }: Constraint): Promise<string[]> {
  const { columns, accepted, rejected } = constraintCases[name]!;
  await client.query(`create temporary table copy (like ${table})`);
  const { rows } = await client.query<{ column: string }>(
    `select quote_ident(attname) as column from pg_attribute where attrelid = 'copy'::regclass and attnotnull and attnum > 0`,
  );
  for (const { column } of rows) await client.query(`alter table copy alter ${column} drop not null`);
  await client.query(add);
  await client.query('set constraints all immediate');
  const wrong: string[] = [];
  for (const [index, row] of [...accepted, ...rejected].entries()) {
    await client.query('savepoint before_row');
    const insert = client.query(`insert into copy (${columns}) values (${row})`);
    const code = await insert.then(
      () => undefined,
      (error: pg.DatabaseError) => error.code,
    );
    if (code !== undefined) await client.query('rollback to before_row');
    const isAsExpected = index < accepted.length ? code === undefined : code === '23514' || code === '23505';
    if (!isAsExpected) wrong.push(`${columns}: ${row.slice(0, 60)}: ${code ?? 'accepted'}`);
  }
  return wrong;
}
