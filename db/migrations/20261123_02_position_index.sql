-- A member's rows are counted through the index of their positions again. Three unique indexes begin with the member; where they cost the same,
-- PostgreSQL takes the newest, which since 20261122_10 was the key (idp_id, id). Reads in order rid the index of positions of entries of removed
-- rows; nothing does so for the key until the table is vacuumed, so that an add to a list with much coming and going took 1.5 times as long.
--
-- Writers and readers of the lists wait until the end: docs/runbooks/large-migrations.md.
alter table public.watchlist_items
  drop constraint watchlist_items_position,
  add constraint watchlist_items_position unique (idp_id, position) deferrable initially deferred;
