import type { Lint } from './lint.ts';
import { notOfService, isOwnSchema } from './own-schemas.ts';

const policies =
  'pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace ' +
  `and ${isOwnSchema} and ${notOfService}`;
const name = `p.polrelid::regclass::text || '.' || p.polname`;
const both =
  `coalesce(pg_get_expr(p.polqual, p.polrelid), '') || ' ' || coalesce(pg_get_expr(p.polwithcheck, ` +
  `p.polrelid), '')`;
const table =
  'create table public.bad (id int primary key, owner text); alter table public.bad enable row level security;';

export const policyLints: readonly Lint[] = [
  {
    name: 'policy that reads the claims itself',
    remedy: 'One fast function returns the member: compare the owner with public.member_id().',
    sql: `select ${name} as object from ${policies} where ${both} ~* 'auth\\.\\w+\\(|current_setting\\('`,
    violation: {
      createViolation:
        `${table} create policy slow on public.bad for select to authenticated using (owner = (auth.jwt() ` +
        `->> 'sub'))`,
      object: 'bad.slow',
    },
  },
  {
    name: 'policy with a subquery',
    remedy: 'Citus rejects it: compare columns of the row with public.member_id(), without select.',
    sql: `select ${name} as object from ${policies} where ${both} ~ '\\mSELECT\\M'`,
    violation: {
      createViolation:
        `${table} create policy inside on public.bad for select to authenticated using (owner = (select ` +
        'public.member_id()))',
      object: 'bad.inside',
    },
  },
  {
    name: 'policy for everybody',
    remedy: 'Without a role it holds for PUBLIC: say "to authenticated".',
    sql: `select ${name} as object from ${policies} where p.polroles && array[0, 'anon'::regrole]::oid[]`,
    violation: {
      createViolation: `${table} create policy everybody on public.bad for select using (owner = public.member_id())`,
      object: 'bad.everybody',
    },
  },
  {
    name: 'policy that lets every write pass',
    remedy: 'A member could write anybody’s rows: compare the owner with the claim.',
    sql: `select ${name} as object from ${policies} where p.polcmd <> 'r' and p.polpermissive
      and 'true' in (pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))`,
    violation: {
      createViolation: `${table} create policy open on public.bad for update to authenticated using (true)`,
      object: 'bad.open',
    },
  },
  {
    name: 'policy on a table whose row-level security is off',
    remedy: 'It does nothing: alter table … enable row level security.',
    sql: `select ${name} as object from ${policies} where not c.relrowsecurity`,
    violation: {
      createViolation:
        'create table public.bad (id int primary key); create policy idle on public.bad for ' +
        'select to authenticated using (true)',
      object: 'bad.idle',
    },
  },
  {
    name: 'several policies for the same command',
    remedy: 'Each row would be tested by all of them, and the widest wins: join them into one.',
    sql: `select p.polrelid::regclass::text || ' ' || command as object from ${policies},
        unnest(case p.polcmd when '*' then array['r', 'a', 'w', 'd'] else array[p.polcmd::text] end) as command,
        unnest(p.polroles) as role
      where p.polpermissive group by p.polrelid, command, role having count(*) > 1`,
    violation: {
      createViolation:
        `${table} create policy one on public.bad for select to authenticated using (id = 1); ` +
        'create policy two on public.bad to authenticated using (id = 2)',
      object: 'bad r',
    },
  },
  {
    name: 'grant without a policy',
    remedy:
      'Clients may run the command and it does nothing, or all once the table’s security is off: ' +
      'add the policy or revoke the grant.',
    sql: `select c.oid::regclass::text || ' ' || command.privilege as object
      from pg_class c join pg_namespace n on n.oid = c.relnamespace and ${isOwnSchema},
        (values ('r', 'select'), ('a', 'insert'), ('w', 'update'), ('d', 'delete')) as command (letter, privilege)
      where c.relkind in ('r', 'p')
        and exists (select from unnest(array['anon', 'authenticated']) as role
          where case command.privilege when 'delete' then has_table_privilege(role, c.oid, 'delete')
            else has_any_column_privilege(role, c.oid, command.privilege) end)
        and not exists (select from pg_policy p where p.polrelid = c.oid and ${notOfService}
          and p.polcmd::text in ('*', command.letter))`,
    violation: { createViolation: `${table} grant delete on public.bad to authenticated`, object: 'bad delete' },
  },
];
