import type { RequestContext } from './context.ts';
import type { TierWithLimit } from './tier-cache.ts';
import { readPlan } from './queries.ts';

/** What a reading that the tier is part of needs of its context. */
export interface TierContext extends Pick<RequestContext, 'sql' | 'tierCache'> {
  deps: Pick<RequestContext['deps'], 'logger'>;
  member: Pick<RequestContext['member'], 'idpId'>;
}

/**
 * A reading that the member's tier is part of; `undefined` where it failed and the tier is what cannot be read. A
 * failure of anything else is thrown as it came.
 */
export async function readUnlessTierUnavailable<T>(
  { deps, member, sql }: TierContext,
  pendingRead: Promise<T>,
): Promise<T | undefined> {
  try {
    return await pendingRead;
  } catch (error) {
    if (await readPlan(sql, member.idpId).catch(() => undefined)) throw error;
    deps.logger.warn({ err: error }, 'a tier could not be read');
    return undefined;
  }
}

/**
 * The same for what is shown: where the tier cannot be read, it is read once more by the tier that the member had in
 * the last hour, and is `tier_stale`. `undefined` where none is known.
 */
export async function readWithStaleTier<T extends { head: TierWithLimit }>(
  context: TierContext,
  read: (cachedTier?: TierWithLimit) => Promise<T | undefined>,
): Promise<(T & { tier_stale: boolean }) | undefined> {
  const { tierCache, member } = context;
  const freshResult = await readUnlessTierUnavailable(context, read());
  if (freshResult) tierCache.set(member.idpId, freshResult.head);
  const cachedTier = freshResult ? undefined : tierCache.get(member.idpId);
  const result = freshResult ?? (cachedTier && (await read(cachedTier)));
  return result && { ...result, tier_stale: !freshResult };
}

/** The member's plan for a change that goes on without it: where it cannot be read, the one of the last hour, if any. */
export async function readPlanOrStale({
  deps,
  member,
  sql,
  tierCache,
}: TierContext): Promise<TierWithLimit | undefined> {
  try {
    return await readPlan(sql, member.idpId);
  } catch (error) {
    deps.logger.warn({ err: error }, 'a tier could not be read; the change goes on without it');
    return tierCache.get(member.idpId);
  }
}
