-- After a split a provider's candles are adjusted only overnight, or days later: what to look for in the history until then.
alter table market.quote_notes
  -- The last day of the old scale, and its close on the new one; null where no split is waited for.
  add column split_day date,
  add column split_close double precision;
comment on table market.quote_notes is 'Server only, no policy: when a listing was last asked for, looked at for a split, and which split its history lacks.';
