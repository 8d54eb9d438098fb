-- Tells links of the operator from mailed ones, which alone prove an address, and adds links that stop a change of address.

alter table idp.one_time_links drop constraint one_time_links_purpose_check;
alter table idp.one_time_links add constraint one_time_links_purpose_check
  check (purpose in ('reset_password', 'operator_reset', 'verify_email', 'change_email', 'stop_email_change'));
-- A mailed link is valid for an hour, a link of the operator for a day.
update idp.one_time_links set purpose = 'operator_reset'
 where purpose = 'reset_password' and expires_at > created_at + interval '2 hours';
