import type { TestService } from './service.ts';

/**
 * Returns where the database can hold a credential: every table of the identity provider, every column of its users, and
 * each table of the service with a column that is named or typed like a secret.
 */
export async function listCredentialStores(owner: TestService['database']['owner']): Promise<string[]> {
  const rows = await owner<{ store: string }>(`
    select distinct case
             when c.oid = 'idp.users'::regclass then format('idp.users.%I', a.attname)
             else format('%I.%I', n.nspname, c.relname)
           end as store
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind in ('r', 'p')
       and (n.nspname = 'idp'
         or n.nspname = 'public' and (a.atttypid = 'bytea'::regtype
           or a.atttypid = 'text'::regtype
              and a.attname ~ '(^|_)(hash|secret|token|ticket|key|code|credential|sealed|password|pin|link|challenge|passkey|session)(_|$)'))
     order by 1`);
  return rows.map(({ store }) => store);
}

/** Returns the purposes that a one-time link may have. */
export async function listLinkPurposes(owner: TestService['database']['owner']): Promise<string[]> {
  const [row] = await owner<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'one_time_links_purpose_check'`,
  );
  return [...row!.definition.matchAll(/'(\w+)'::text/g)].map(([, purpose]) => purpose!);
}
