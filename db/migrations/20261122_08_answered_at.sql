-- A listing is asked for in turns, whether anybody answers or not; whether its price of a day is still owed depends on the answer alone.
alter table market.quote_notes add column answered_at timestamptz;
comment on table market.quote_notes is
  'Server only, no policy: when a listing was last asked for, when a provider last answered (even that it has no price), looked at for a split, and asked who it is.';
