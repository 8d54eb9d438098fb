import type { MemberRows } from '../../feature.ts';

/** Rows of this feature in an export of a member's data. */
export const memberRows: MemberRows = {
  'public.accounts': {
    rows: `select idp_id, id, name, original_name, kind, type, mask, currency, balance, connection_id,
             external_id, left_out_at, duplicate_answered_at, created_at, updated_at
        from public.accounts where idp_id = $1 order by created_at, id`,
  },
  'public.manual_public_holdings': {
    rows: `select idp_id, id, account_id, account_kind, symbol, quantity, cost_basis, created_at, updated_at,
             quantity_changed_at
        from public.manual_public_holdings where idp_id = $1 order by created_at, id`,
  },
  'public.connected_holdings': {
    rows: `select idp_id, id, account_id, external_id, symbol, name, quantity, cost_basis, currency,
             institution_value, as_of, created_at
        from public.connected_holdings where idp_id = $1 order by created_at, id`,
  },
  'public.portfolio_settings': {
    rows: `select idp_id, base_currency, updated_at from public.portfolio_settings where idp_id = $1`,
  },
  'public.holding_imports': {
    rows: `select idp_id, id, state_before, state_after, created_at, undone_at
        from public.holding_imports where idp_id = $1`,
  },
  'public.import_columns': {
    rows: `select idp_id, header_key, columns, kind, changed_at
        from public.import_columns where idp_id = $1 order by changed_at, header_key`,
  },
  'public.net_worth_snapshots': {
    rows: `select idp_id, d, currency, cash, investments, taken_at, sample
        from public.net_worth_snapshots where idp_id = $1 order by d, currency`,
  },
  'public.net_worth_flows': {
    rows: `select idp_id, id, d, currency, amount, symbol, quantity, created_at
        from public.net_worth_flows where idp_id = $1 order by created_at, id`,
  },
};
