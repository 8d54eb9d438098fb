import type { Lint } from './lint.ts';
import { excludeExtensionObjects, isOwnSchema } from './own-schemas.ts';

const functions = `pg_proc f join pg_namespace n on n.oid = f.pronamespace and ${isOwnSchema}
  where f.prokind in ('f', 'p') and ${excludeExtensionObjects('f.oid', 'pg_proc')}`;
const name = 'f.oid::regprocedure::text';

export const functionLints: readonly Lint[] = [
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
