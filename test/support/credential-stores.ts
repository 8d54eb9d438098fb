import { isOwnSchema } from './database-lints/own-schemas.ts';
import type { TestService } from './service.ts';

/** Types that are too short for a credential. */
const SHORT_TYPES = `('bool'::regtype, 'date'::regtype, 'timestamp'::regtype, 'timestamptz'::regtype)`;

/** Matches names of tables and columns for secrets. */
const SECRET_NAME =
  '(^|_)(hash|secret|token|ticket|key|code|credential|sealed|password|pin|otp|nonce|link|url|challenge|passkey|session|cookie|jwt)(e?s)?(_|$)';

/**
 * Returns where the database can hold a credential, as `schema.table.column`: every column of the identity provider,
 * and elsewhere each column of bytes or JSON or with the name of a secret. A table with the name of a secret is
 * `schema.table`.
 */
export async function listCredentialStores(owner: TestService['database']['owner']): Promise<string[]> {
  const rows = await owner<{ store: string }>(`
    with stores as (
      select n.nspname as schema, c.relname as name, a.attname as column_name, a.atttypid as type
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace and ${isOwnSchema}
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relkind in ('r', 'p')
    )
    select format('%I.%I.%I', schema, name, column_name) as store from stores
     where type not in ${SHORT_TYPES}
       and (schema = 'idp' or column_name ~ '${SECRET_NAME}'
         or type in ('bytea'::regtype, 'json'::regtype, 'jsonb'::regtype))
    union
    select format('%I.%I', schema, name) from stores where name ~ '${SECRET_NAME}'
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
