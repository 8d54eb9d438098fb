import type { ServiceSql } from '../database/roles.ts';
import type { ApiKeyRow } from './queries.ts';
import { selectApiKeys } from './queries.ts';

/** Every key, revoked ones too, newest first; of one member where `memberIdpId` is given. */
export function listApiKeys(sql: ServiceSql, memberIdpId?: string): Promise<ApiKeyRow[]> {
  return selectApiKeys(sql, memberIdpId);
}
