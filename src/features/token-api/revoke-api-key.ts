import type { ServiceSql } from '../../platform/database/roles.ts';
import { type ApiKeyRow, markRevoked } from './queries.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Revokes a key. Repeated calls succeed. Running processes reject the key within 5 s (`KeyCache`). Returns `undefined`
 * if the key does not exist or belongs to another member.
 */
export async function revokeApiKey(sql: ServiceSql, id: string, memberIdpId?: string): Promise<ApiKeyRow | undefined> {
  return UUID.test(id) ? markRevoked(sql, id, memberIdpId) : undefined;
}
