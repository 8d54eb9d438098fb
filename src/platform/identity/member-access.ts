import { z } from 'zod';
import type { Database } from '../database/connect.ts';
import type { MemberSql } from '../database/roles.ts';
import { AppError } from '../../errors.ts';
import type { Guards } from './guards.ts';
import type { Member } from './member.ts';

/** The sender of a request, and the database with that member's rights. app.ts provides it. */
export interface MemberAccess {
  guards: Guards;
  asMember: (member: Pick<Member, 'idpId' | 'sessionId'>) => MemberSql;
}

export const createMemberAccess = (database: Pick<Database, 'asMember'>, guards: Guards): MemberAccess => ({
  guards,
  asMember: ({ idpId, sessionId }) => database.asMember({ sub: idpId, sid: sessionId }),
});

const uuid = z.guid();

/** Returns an id of a path. Throws NOT_FOUND for a malformed one, as for another member's id. */
export function parseIdParam(params: { id: string }, notFoundMessage: string): string {
  const parsed = uuid.safeParse(params.id);
  if (!parsed.success) throw new AppError('NOT_FOUND', { message: notFoundMessage });
  return parsed.data;
}

/** Cache header of a member's own reads: private, with a revalidation (ETag) before every use. */
export const PRIVATE_CACHE_CONTROL = { 'cache-control': 'private, no-cache' } as const;
