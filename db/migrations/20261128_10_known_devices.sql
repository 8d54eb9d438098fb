-- Browsers that signed in to an account before. They count their own failed passwords, so that guesses from elsewhere do not lock them out.

create table idp.known_devices (
  client_id text not null references idp.clients (id) on delete cascade,
  user_id text not null references idp.users (id) on delete cascade,
  signed_in_at timestamptz not null default now(),
  primary key (client_id, user_id)
);
comment on table idp.known_devices is 'Server only, no policy: browsers and the accounts that they have signed in to.';
create index known_devices_user_id on idp.known_devices (user_id);
alter table idp.known_devices enable row level security;
grant select, insert, update, delete on idp.known_devices to service_role;

insert into idp.known_devices (client_id, user_id, signed_in_at)
select client_id, user_id, max(created_at) from idp.sessions group by client_id, user_id;
