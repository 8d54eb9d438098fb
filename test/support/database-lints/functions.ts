import type { Lint } from './lint.ts';
import { excludeExtensionObjects, isOwnSchema } from './own-schemas.ts';

const functions = `pg_proc f join pg_namespace n on n.oid = f.pronamespace and ${isOwnSchema}
  where f.prokind in ('f', 'p') and ${excludeExtensionObjects('f.oid', 'pg_proc')}`;
const name = 'f.oid::regprocedure::text';

export const functionLints: readonly Lint[] = [
  {
    name: 'function with a mutable search path',
    remedy: 'The caller decides which table a bare name means: add "set search_path = \'\'" and qualify the names.',
    sql:
      `select ${name} as object from ${functions} and not exists (select from unnest(f.proconfig) as setting ` +
      `where setting like 'search_path=%')`,
    violation: {
      createViolation: `create function public.bad() returns int language sql as 'select 1'`,
      object: 'bad()',
    },
  },
  {
    name: 'SECURITY DEFINER with names looked up',
    remedy: "It runs with its owner’s rights, so nothing may be looked up for it: set search_path = '' exactly.",
    sql:
      `select ${name} as object from ${functions} and f.prosecdef ` +
      `and not 'search_path=""' = any (coalesce(f.proconfig, '{}'))`,
    violation: {
      createViolation:
        'create function public.bad() returns int language sql security definer set search_path = public ' +
        `as 'select 1'`,
      object: 'bad()',
    },
  },
  {
    name: 'SECURITY DEFINER that clients may execute',
    remedy:
      'It is a way past row-level security: revoke execute from public, anon and authenticated, ' +
      'grant it to service_role.',
    sql: `select ${name} as object from ${functions} and f.prosecdef
      and exists (select from unnest(array['anon', 'authenticated']) as role
        where has_function_privilege(role, f.oid, 'execute'))`,
    violation: {
      createViolation:
        `create function public.bad() returns int language sql security definer set search_path = '' ` +
        `as 'select 1'; grant execute on function public.bad() to authenticated`,
      object: 'bad()',
    },
  },
  {
    name: 'function that everybody may execute',
    remedy: 'Grant it by name: revoke execute … from public; grant execute … to authenticated (or service_role).',
    sql: `select ${name} as object from ${functions} and exists (
        select from aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) a
          where a.grantee in (0, 'anon'::regrole))
      and f.oid is distinct from to_regprocedure('auth.jwt()')`,
    violation: {
      createViolation:
        `create function public.bad() returns int language sql set search_path = '' as 'select 1'; ` +
        'grant execute on function public.bad() to public',
      object: 'bad()',
    },
  },
];
