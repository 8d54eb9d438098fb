-- Price history is market data with no client policy, so a member's own SQL reads closes through a view that runs with its owner's rights.
-- What the view leaves out is decided by views that run with the member's rights. The table is locked for a moment and not rewritten.
drop policy tracked_tickers_historical_assistant on public.tracked_tickers_historical;
revoke select (ticker_id, d, close) on public.tracked_tickers_historical from assistant;
comment on table public.tracked_tickers_historical is
  'Server only, no policy: daily candles; dates are the exchange''s own.';

alter view assistant.closes reset (security_invoker);
comment on view assistant.closes is
  'Daily closes, without symbols that are locked on the member''s list and not held. Runs with its owner''s rights, since no client may read the table.';
