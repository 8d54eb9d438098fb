-- Each sample security carries a logo of our own registry; those that came before have none or letters. Nothing waits.
update public.tracked_tickers_latest set logo = '/api/logos/registry/' || symbol, logo_source = 'registry'
 where logo is null and source = 'simulator' and price_at is not null and symbol ~ '^[A-Z0-9.-]+$';
