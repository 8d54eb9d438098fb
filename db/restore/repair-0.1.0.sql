-- Run once by `tally restore` after it has loaded the rows of a backup of 0.1.0 into the schema of 0.2.0.

-- 0.1.0 stored the time of the sync as the end of every subscription. Only these two statuses have an end.
update public.subscriptions set ended_at = null
 where ended_at is not null and status not in ('canceled', 'incomplete_expired');

-- Browsers that have signed in before keep their own count of wrong passwords.
insert into idp.known_devices (client_id, user_id, signed_in_at)
  select client_id, user_id, max(created_at) from idp.sessions group by client_id, user_id
  on conflict do nothing;

-- 0.2.0 renamed this key of the bank and brokerage sandboxes.
update bank_sandbox.link_sessions set data = data - 'person' || jsonb_build_object('clientUserId', data -> 'person') where data ? 'person';
update bank_sandbox.items set data = data - 'person' || jsonb_build_object('clientUserId', data -> 'person') where data ? 'person';
update brokerage_sandbox.portals set data = data - 'person' || jsonb_build_object('userId', data -> 'person') where data ? 'person';

-- Sample securities had no logo.
update public.tracked_tickers_latest set logo = '/api/logos/registry/' || symbol, logo_source = 'registry'
 where logo is null and source = 'simulator' and price_at is not null and symbol ~ '^[A-Z0-9.-]+$';
