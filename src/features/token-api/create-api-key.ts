import type { ServiceSql } from '../../platform/database/roles.ts';
import { hashApiKey, getKeyHint, generateApiKey } from './api-key.ts';
import {
  type ApiKeyRow,
  ensureMemberOrganisation,
  ensureOrganisation,
  insertApiKey,
  type UsageTier,
} from './queries.ts';

/** Maximum number of active keys of a member's organization. */
export const MEMBER_KEY_LIMIT = 20;

/** The owner of a key: an organization of the operator by name, or a member. */
type KeyOwner = { organisation: string; usageTier?: UsageTier | undefined } | { memberIdpId: string };

type CreatedKey = { ok: true; key: string; row: ApiKeyRow } | { ok: false; reason: 'limit_reached'; limit: number };

/** Creates a key and stores its hash. Only the returned value contains the key text. */
export async function createApiKey(sql: ServiceSql, owner: KeyOwner, name: string): Promise<CreatedKey> {
  const key = generateApiKey();
  const isMemberOwned = 'memberIdpId' in owner;
  const maxKeys = isMemberOwned ? MEMBER_KEY_LIMIT : undefined;
  // The transaction locks the organization, because its owner may be deleted concurrently.
  const row = await sql.transaction(async (transaction) => {
    const organisationId = isMemberOwned
      ? await ensureMemberOrganisation(transaction, owner.memberIdpId)
      : await ensureOrganisation(transaction, owner.organisation, owner.usageTier);
    return insertApiKey(transaction, { organisationId, name, hash: hashApiKey(key), hint: getKeyHint(key), maxKeys });
  });
  return row ? { ok: true, key, row } : { ok: false, reason: 'limit_reached', limit: MEMBER_KEY_LIMIT };
}

/** Creates a key for the first run: organization "First run", usage tier 4. Returns the key, which is not stored. */
export async function seedApiKey(sql: ServiceSql): Promise<string> {
  const created = await createApiKey(sql, { organisation: 'First run', usageTier: 4 }, 'first run');
  if (!created.ok) throw new Error('The first-run API key could not be created: key limit reached.');
  return created.key;
}
