import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Database } from '../database/connect.ts';
import type { MemberSql } from '../database/roles.ts';
import { Failure } from '../errors.ts';
import type { HttpApp } from '../http/app-type.ts';
import type { Member } from './member.ts';

/** Who sent a request, and the database in that member's name; handed over by app.ts. */
export interface MemberAccess {
  requireMember: (request: FastifyRequest) => Promise<Member>;
  asMember: (member: Pick<Member, 'idpId' | 'sessionId'>) => MemberSql;
}

export const memberAccess = (
  database: Pick<Database, 'asMember'>,
  requireMember: MemberAccess['requireMember'],
): MemberAccess => ({
  requireMember,
  asMember: ({ idpId, sessionId }) => database.asMember({ sub: idpId, sid: sessionId }),
});

/** The member of a request that changes something. Throws DEMO_MODE for the read-only sample portfolio. */
export async function requireEditor(access: MemberAccess, request: FastifyRequest): Promise<Member> {
  const member = await access.requireMember(request);
  if (member.isSampleUser) throw new Failure('DEMO_MODE');
  return member;
}

const READS = new Set(['GET', 'HEAD']);

/** Who asks, and whether they may change anything, is settled before a body is read: without a sign-in nobody learns what a right one looks like. */
export function askWhoFirst(scope: HttpApp, access: MemberAccess): void {
  scope.addHook(
    'onRequest',
    async (request) =>
      void (await (READS.has(request.method) ? access.requireMember(request) : requireEditor(access, request))),
  );
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
