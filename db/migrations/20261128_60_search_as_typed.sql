-- Names are found as people type them ("mcdonalds", "jp morgan", "sp500"), shares by their ISIN, and funds are ranked by size.
-- Changes of the catalog wait while its indexes are built; see docs/runbooks/large-migrations.md.

alter table public.tracked_tickers_latest
  add column isin text check (isin ~ '^[A-Z]{2}[A-Z0-9]{9}[0-9]$'),
  -- In the listing's currency; of companies market_cap tells the size.
  add column fund_assets double precision check (fund_assets > 0 and fund_assets < 'infinity');

-- Several listings share an ISIN.
create index tracked_tickers_latest_isin on public.tracked_tickers_latest (isin) where isin is not null;

drop index public.tracked_tickers_latest_name_words;
-- A name's words as they stand, and again without accents and punctuation: "McDonald's" is found by "mcdonalds".
create index tracked_tickers_latest_name_words on public.tracked_tickers_latest using gin (to_tsvector('simple',
  coalesce(name, '') || ' ' || regexp_replace(normalize(lower(coalesce(name, '')), NFKD), '[^a-z0-9 ]+', '', 'g')));
-- The name as one word without a leading "the": "JPMorgan Chase" is found by "jp morgan".
create index tracked_tickers_latest_name_joined on public.tracked_tickers_latest
  (regexp_replace(normalize(lower(name), NFKD), '^the |[^a-z0-9]+', '', 'g') text_pattern_ops);
