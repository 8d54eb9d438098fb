import type { ServiceSql } from '../../platform/database/roles.ts';
import { hashApiKey, getKeyHint, generateApiKey } from './api-key.ts';
import {
  type ApiKeyRow,
  ensureMemberOrganisation,
  ensureOrganisation,
  insertApiKey,
  type UsageTier,
} from './queries.ts';

/** Keys that a member's organisation may hold at a time. */
export const MEMBER_KEY_LIMIT = 20;

/** Whose key it is: an organisation of the operator's by name, or a member's own. */
type KeyOwner = { organisation: string; usageTier?: UsageTier | undefined } | { memberIdpId: string };

type CreatedKey = { ok: true; key: string; row: ApiKeyRow } | { ok: false; reason: 'limit_reached'; limit: number };

/** Makes a key and stores its hash. The answer is the only place where the key itself ever appears. */
export async function createApiKey(sql: ServiceSql, owner: KeyOwner, name: string): Promise<CreatedKey> {
  const key = generateApiKey();
  const isMemberOwned = 'memberIdpId' in owner;
  const maxKeys = isMemberOwned ? MEMBER_KEY_LIMIT : undefined;
  // In one transaction, which holds the organisation: its owner may be deleted meanwhile.
  const row = await sql.transaction(async (transaction) => {
    const organisationId = isMemberOwned
      ? await ensureMemberOrganisation(transaction, owner.memberIdpId)
      : await ensureOrganisation(transaction, owner.organisation, owner.usageTier);
    return insertApiKey(transaction, { organisationId, name, hash: hashApiKey(key), hint: getKeyHint(key), maxKeys });
  });
  return row ? { ok: true, key, row } : { ok: false, reason: 'limit_reached', limit: MEMBER_KEY_LIMIT };
}

/** A key for the first run: organisation "First run", usage tier 4. Returns the key, which is stored nowhere else. */
export async function seedApiKey(sql: ServiceSql): Promise<string> {
  const created = await createApiKey(sql, { organisation: 'First run', usageTier: 4 }, 'first run');
  if (!created.ok) throw new Error('The first key was refused.');
  return created.key;
}
