import type { ServiceSql } from '../../platform/database/roles.ts';
import { type ApiKeyRow, markRevoked } from './queries.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Ends a key; again is no mistake. Running processes refuse it within five seconds (`KeyCache`).
 * `undefined`: there is no such key, or it is not that member's.
 */
export async function revokeApiKey(sql: ServiceSql, id: string, memberIdpId?: string): Promise<ApiKeyRow | undefined> {
  return UUID.test(id) ? markRevoked(sql, id, memberIdpId) : undefined;
}
