-- A member's holdings are gathered before the catalog is asked, so that a server that spreads members' rows over others
-- gathers them there and joins the catalog in one place.
create or replace function public.net_worth_of_members(p_idp_ids text[])
  returns table (idp_id text, currency text, cash numeric, investments numeric)
  language plpgsql stable set search_path = '' as $$
begin
  return query
    with cash as materialized (
      select a.idp_id, a.currency, sum(a.balance) as cash
        from public.accounts a where a.idp_id = any (p_idp_ids) group by a.idp_id, a.currency
    ), held as materialized (
      select h.idp_id, h.symbol, h.quantity from public.held_positions h where h.idp_id = any (p_idp_ids)
    ), connected as materialized (
      select c.idp_id, c.symbol, c.currency, c.institution_value
        from public.connected_holdings c where c.idp_id = any (p_idp_ids) and c.institution_value is not null
    ), owned as (
      select c.idp_id, c.currency, c.cash, 0::numeric as investments from cash c
      union all
      select h.idp_id, t.currency, 0::numeric, public.holding_value(h.quantity, t.current_price, t.asset_type)
        from held h join public.tracked_tickers_latest t on t.symbol = h.symbol
       where t.current_price is not null and t.currency is not null
      union all
      -- The catalog's price counts where there is one, else what the institution says.
      select c.idp_id, c.currency, 0::numeric, c.institution_value
        from connected c left join public.tracked_tickers_latest t on t.symbol = c.symbol
       where t.current_price is null or t.currency is null
    )
    select o.idp_id, o.currency, sum(o.cash), sum(o.investments)
      from owned o group by o.idp_id, o.currency;
end
$$;
