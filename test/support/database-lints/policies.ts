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
];
