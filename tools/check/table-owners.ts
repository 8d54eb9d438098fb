import type { features, sharedFolders } from './folders.ts';

type Owner = (typeof features)[number] | (typeof sharedFolders)[number] | 'app';

/** The owner of a table, view or function, and its other users. */
export interface Ownership {
  owner: Owner;
  /**
   * Purpose for which other folders may read or call it. Without this text they may not name it, and shared folders
   * never name what a feature owns.
   */
  sharedFor?: string;
  /** Whether only a cluster has it, so that db/schema.sql does not. */
  onlyOnCluster?: true;
}

/**
 * The owner of every table, view and function. Only the owner's SQL writes it, and others read it only if it is shared.
 * `app` owns views and functions that combine what several owners share. `npm run check` compares db/schema.sql and the
 * SQL of the code with this list.
 */
export const tableOwners: Readonly<Record<string, Ownership>> = {
  'tally.migrations': { owner: 'database', sharedFor: 'readiness' },
  'tally.shared_secrets': { owner: 'database' },
  'tally.last_backup': { owner: 'database' },
  'tally.operator_sessions': { owner: 'operator' },
  'public.member_id': { owner: 'database', sharedFor: 'the member for whom a statement runs' },
  'auth.jwt': { owner: 'database', sharedFor: "the claims of the member's token" },
  'graphile_worker.*': { owner: 'jobs' },

  'public.all_users': { owner: 'identity' },
  'public.set_referral_link': { owner: 'identity' },
  'tally.referral_links': { owner: 'identity', onlyOnCluster: true },
  'public.active_members': { owner: 'identity', sharedFor: 'identifiers of members' },
  'public.deleted_members': { owner: 'identity' },
  'public.delay_deletion': { owner: 'identity', sharedFor: 'rows of members without a foreign key' },
  'public.require_member': { owner: 'identity', sharedFor: 'rows of members without a foreign key' },
  'public.identity_webhook_deliveries': { owner: 'identity' },
  'idp.clients': { owner: 'embedded/identity' },
  'idp.invitations': { owner: 'embedded/identity' },
  'idp.known_devices': { owner: 'embedded/identity' },
  'idp.one_time_links': { owner: 'embedded/identity' },
  'idp.passkey_challenges': { owner: 'embedded/identity' },
  'idp.passkeys': { owner: 'embedded/identity' },
  'idp.pending_sign_ins': { owner: 'embedded/identity' },
  'idp.recovery_codes': { owner: 'embedded/identity' },
  'idp.sessions': { owner: 'embedded/identity' },
  'idp.sign_in_tokens': { owner: 'embedded/identity' },
  'idp.signing_keys': { owner: 'embedded/identity' },
  'idp.totp_factors': { owner: 'embedded/identity' },
  'idp.users': { owner: 'embedded/identity' },
  'idp.webhook_messages': { owner: 'embedded/identity' },

  'public.connections': { owner: 'connections' },
  'public.connection_secrets': { owner: 'connections' },
  'public.connection_attempts': { owner: 'connections' },
  'public.aggregator_deliveries': { owner: 'connections' },
  'public.connection_revocations': { owner: 'connections' },
  'public.brokerage_users': { owner: 'connections' },
  'bank_sandbox.items': { owner: 'embedded/bank' },
  'bank_sandbox.link_sessions': { owner: 'embedded/bank' },
  'bank_sandbox.signing_keys': { owner: 'embedded/bank' },
  'bank_sandbox.webhook_messages': { owner: 'embedded/bank' },
  'brokerage_sandbox.authorizations': { owner: 'embedded/brokerage' },
  'brokerage_sandbox.users': { owner: 'embedded/brokerage' },
  'brokerage_sandbox.portals': { owner: 'embedded/brokerage' },
  'brokerage_sandbox.webhook_messages': { owner: 'embedded/brokerage' },

  'public.demo_access_invitations': { owner: 'demo-access' },
  'public.demo_access_audit': { owner: 'demo-access' },
  'public.demo_resets': { owner: 'demo-access' },

  'public.referrals': { owner: 'referrals' },
  'public.referral_audit': { owner: 'referrals' },
  'public.first_connections': { owner: 'referrals' },

  'public.feature_flags': { owner: 'feature-flags' },
  'public.feature_flag_members': { owner: 'feature-flags' },
  'public.analytics_events': { owner: 'analytics' },
  'public.analytics_choices': { owner: 'analytics' },
  'public.analytics_days': { owner: 'analytics' },
  'public.upgrade_steps': { owner: 'analytics', sharedFor: 'steps before a checkout, for the funnel' },
  'public.api_keys': { owner: 'token-api' },
  'public.organisations': { owner: 'token-api' },
  'public.revoke_api_keys': { owner: 'token-api', sharedFor: 'password resets and changes' },
  'public.revoke_assistant_tokens': { owner: 'assistant', sharedFor: 'password resets and changes' },
  'public.revoke_credentials': { owner: 'app', sharedFor: 'password resets and changes' },

  'public.plans': { owner: 'billing', sharedFor: 'the limits of a tier' },
  'public.subscriptions': { owner: 'billing' },
  'public.tier_grants': { owner: 'billing' },
  'public.billing_checkouts': { owner: 'billing' },
  'public.billing_customers': { owner: 'billing' },
  'public.billing_invoices': { owner: 'billing' },
  'public.billing_movements': { owner: 'billing' },
  'public.billing_payers': { owner: 'billing' },
  'public.billing_prices': { owner: 'billing' },
  'public.billing_refunds_and_disputes': { owner: 'billing' },
  'public.payment_webhook_events': { owner: 'billing' },
  'public.revenue_cohorts': { owner: 'billing' },
  'public.revenue_funnel_daily': { owner: 'billing' },
  'public.revenue_mrr_monthly': { owner: 'billing' },
  'public.revenue_net_by_source': { owner: 'billing' },
  'pay_sandbox.idempotency_keys': { owner: 'embedded/payments' },
  'pay_sandbox.objects': { owner: 'embedded/payments' },
  'pay_sandbox.secrets': { owner: 'embedded/payments' },
  'pay_sandbox.webhook_messages': { owner: 'embedded/payments' },
  'public.member_tiers': { owner: 'billing', sharedFor: 'paid and granted tiers' },
  'public.get_tier': { owner: 'billing', sharedFor: 'the current tier' },
  'public.get_watchlist_limit': { owner: 'billing', sharedFor: 'the limit, locked until the transaction ends' },

  'public.tracked_tickers_latest': { owner: 'market-data', sharedFor: 'views for the SQL of members' },
  'public.listings': { owner: 'market-data', sharedFor: 'names and newest prices of listings' },
  'public.listing_copies': { owner: 'database' },
  'public.copy_listings': { owner: 'database' },
  'public.tracked_tickers_historical': { owner: 'market-data', sharedFor: 'daily closes' },
  'market.recent_closes': { owner: 'market-data', sharedFor: 'the last 30 closes' },
  'market.pending_prices': { owner: 'market-data', sharedFor: 'listings without a real price yet' },
  'public.earnings': { owner: 'market-data' },
  'market.backfills': { owner: 'market-data' },
  'market.declared_units': { owner: 'market-data' },
  'market.earnings_cache': { owner: 'market-data' },
  'market.logos': { owner: 'market-data' },
  'market.news_cache': { owner: 'market-data' },
  'market.fundamentals': { owner: 'market-data' },
  'market.exchange_rates': { owner: 'market-data' },
  'market.provider_calls': { owner: 'market-data' },
  'market.call_leases': { owner: 'market-data' },
  'market.quote_checks': { owner: 'market-data' },
  'market.earnings_scans': { owner: 'market-data' },
  'market.upcoming_reports': { owner: 'market-data' },
  'market.symbols_in_use': { owner: 'app', sharedFor: 'symbols that market data updates' },

  'public.dashboard_layouts': { owner: 'portfolio' },
  'public.portfolio_settings': { owner: 'portfolio' },
  'public.holding_imports': { owner: 'portfolio' },
  'public.import_columns': { owner: 'portfolio' },
  'public.accounts': { owner: 'portfolio' },
  'public.manual_public_holdings': { owner: 'portfolio' },
  'public.connected_holdings': { owner: 'portfolio' },
  'public.connected_accounts': { owner: 'portfolio', sharedFor: 'accounts of connections' },
  'public.account_duplicates': { owner: 'portfolio', sharedFor: 'manual accounts that resemble a connected one' },
  'public.held_positions': { owner: 'portfolio', sharedFor: 'manual and connected holdings' },
  'public.net_worth_snapshots': { owner: 'portfolio' },
  'public.net_worth_flows': { owner: 'portfolio' },
  'public.holding_value': { owner: 'portfolio' },

  // For members' own SQL. The service names these in the assistant's list of allowed relations only.
  'assistant.watchlist_items': { owner: 'watchlist', sharedFor: 'SQL of the member' },
  'assistant.locked_symbols': { owner: 'watchlist', sharedFor: 'locked symbols of the member' },
  'assistant.accounts': { owner: 'portfolio', sharedFor: 'SQL of the member' },
  'assistant.holdings': { owner: 'portfolio', sharedFor: 'SQL of the member' },
  'assistant.held_symbols': { owner: 'portfolio', sharedFor: 'held symbols of the member' },
  'assistant.net_worth': { owner: 'portfolio', sharedFor: 'SQL of the member' },
  'assistant.securities': { owner: 'market-data', sharedFor: 'SQL of the member' },
  'assistant.prices': { owner: 'app', sharedFor: 'SQL of the member' },
  'assistant.closes': { owner: 'app', sharedFor: 'SQL of the member' },
  'public.assistant_tokens': { owner: 'assistant' },
  'assistant.append_text': { owner: 'assistant' },
  'assistant.power': { owner: 'assistant' },
  'assistant.exp': { owner: 'assistant' },
  'assistant.round': { owner: 'assistant' },

  'public.assistant_conversations': { owner: 'assistant' },
  'public.assistant_messages': { owner: 'assistant' },
  'public.assistant_usage': { owner: 'assistant' },
  'public.get_assistant_usage': { owner: 'assistant' },
  'public.reserve_assistant_tokens': { owner: 'assistant' },

  'public.watchlist_items': { owner: 'watchlist' },
  'public.watched_symbols': { owner: 'watchlist', sharedFor: 'watched symbols without members' },
  'public.add_watchlist_item': { owner: 'watchlist' },
  'public.add_watchlist_items': { owner: 'watchlist' },
  'public.reorder_watchlist_items': { owner: 'watchlist' },
  'public.move_watchlist_item': { owner: 'watchlist' },
  'public.lock_watchlist': { owner: 'watchlist' },
  'public.renumber_watchlist_positions': { owner: 'watchlist' },
  'public.remove_watchlist_item': { owner: 'watchlist' },
};
