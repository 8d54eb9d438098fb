import { z } from 'zod';
import type { Database } from '../database/connect.ts';
import type { MemberSql } from '../database/roles.ts';
import { AppError } from '../../errors.ts';
import type { Guards } from './guards.ts';
import type { Member } from './member.ts';

/** Who sent a request, and the database in that member's name; handed over by app.ts. */
export interface MemberAccess {
  guards: Guards;
  asMember: (member: Pick<Member, 'idpId' | 'sessionId'>) => MemberSql;
}

export const createMemberAccess = (database: Pick<Database, 'asMember'>, guards: Guards): MemberAccess => ({
  guards,
  asMember: ({ idpId, sessionId }) => database.asMember({ sub: idpId, sid: sessionId }),
});

const uuid = z.guid();

/** An id from a path. A malformed one is NOT_FOUND, as another member's is. */
export function parseIdParam(params: { id: string }, notFoundMessage: string): string {
  const parsed = uuid.safeParse(params.id);
  if (!parsed.success) throw new AppError('NOT_FOUND', { message: notFoundMessage });
  return parsed.data;
}

/** What a member's own reads say to caches: keep it for this person alone, and ask (ETag) before every use. */
export const PRIVATE_CACHE_CONTROL = { 'cache-control': 'private, no-cache' } as const;
