-- A member may write updated_at, and "infinity" is no time that an answer can give: one such row would break the whole list.
-- Lists wait while they are read twice: docs/runbooks/large-migrations.md.
update public.watchlist_items set updated_at = now() where not isfinite(updated_at);
alter table public.watchlist_items add constraint watchlist_items_updated_at_finite check (isfinite(updated_at));
