-- Lets the deletion of a user delete the events about the user, and stores an event only until it is delivered or given up.

delete from idp.webhook_messages where next_attempt_at is null;
alter table idp.webhook_messages
  add column user_id text,
  drop column delivered_at,
  drop column last_status,
  drop column last_error;
update idp.webhook_messages
   set user_id = coalesce(payload::jsonb #>> '{data,user_id}', payload::jsonb #>> '{data,id}');
alter table idp.webhook_messages
  alter column user_id set not null,
  alter column next_attempt_at set not null;
drop index idp.webhook_messages_due;
create index webhook_messages_due on idp.webhook_messages (next_attempt_at);
create index webhook_messages_user_id on idp.webhook_messages (user_id);
comment on table idp.webhook_messages is
  'Server only, no policy: outbox of signed webhooks. A message is deleted when it is delivered or given up, or with its user.';
comment on column idp.webhook_messages.user_id is
  'The user of the event. No foreign key, since the event user.deleted follows the user.';
