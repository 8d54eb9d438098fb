import { z } from 'zod';
import type { Database } from '../database/connect.ts';
import type { MemberSql } from '../database/roles.ts';
import { Failure } from '../../errors.ts';
import type { Guards } from './guards.ts';
import type { Member } from './member.ts';

/** Who sent a request, and the database in that member's name; handed over by app.ts. */
export interface MemberAccess {
  guards: Guards;
  asMember: (member: Pick<Member, 'idpId' | 'sessionId'>) => MemberSql;
}

export const memberAccess = (database: Pick<Database, 'asMember'>, guards: Guards): MemberAccess => ({
  guards,
  asMember: ({ idpId, sessionId }) => database.asMember({ sub: idpId, sid: sessionId }),
});

const uuid = z.guid();

/** An id from a path. A malformed one is NOT_FOUND, as another member's is. */
export function idFrom(params: { id: string }, missing: string): string {
  const parsed = uuid.safeParse(params.id);
  if (!parsed.success) throw new Failure('NOT_FOUND', { message: missing });
  return parsed.data;
}

/** What a member's own reads say to caches: keep it for this person alone, and ask (ETag) before every use. */
export const OWN_READ = { 'cache-control': 'private, no-cache' } as const;
