import { z } from 'zod';
import type { MemberSql } from '../database/roles.ts';
import { Failure } from '../errors.ts';
import type { Guards } from '../identity/guards.ts';
import type { Member } from '../identity/member.ts';

/** Who sent a request, and the database in that member's name. */
export interface MemberAccess {
  memberOf: Guards['memberOf'];
  asMember: (member: Member) => MemberSql;
}

const uuid = z.guid();

/** An id out of a path. What cannot be one is not there: NOT_FOUND, as for somebody else's. */
export function idFrom(params: { id: string }, missing: string): string {
  const parsed = uuid.safeParse(params.id);
  if (!parsed.success) throw new Failure('NOT_FOUND', { message: missing });
  return parsed.data;
}

/** What a member's own reads say to caches: keep it for this person alone, and ask (ETag) before every use. */
export const OWN_READ = { 'cache-control': 'private, no-cache' } as const;
