import type { RequestContext } from './context.ts';
import type { TierWithLimit } from './tier-cache.ts';

/** Context of a read that depends on the tier. */
export interface TierContext extends Pick<RequestContext, 'sql' | 'tierCache'> {
  deps: Pick<RequestContext['deps'], 'getTier' | 'logger'>;
  member: Pick<RequestContext['member'], 'idpId'>;
}

/**
 * Awaits a read that depends on the member's tier. Returns undefined if the read failed because the tier is
 * unavailable. Rethrows every other error.
 */
export async function readUnlessTierUnavailable<T>(
  { deps, member }: TierContext,
  pendingRead: Promise<T>,
): Promise<T | undefined> {
  try {
    return await pendingRead;
  } catch (error) {
    if ((await deps.getTier(member.idpId)).ok) throw error;
    deps.logger.warn({ err: error }, 'failed to read tier');
    return undefined;
  }
}

/**
 * Awaits a read for display. If the tier is unavailable, the read is repeated with the member's tier of the last hour
 * and marked `tier_stale`. Returns undefined if no such tier is stored.
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

/**
 * Reads the member's plan for a change that also works without a plan. If the plan is unavailable, returns the plan of
 * the last hour, if any.
 */
export async function readPlanOrStale({ deps, member, tierCache }: TierContext): Promise<TierWithLimit | undefined> {
  const plan = await deps.getTier(member.idpId);
  return plan.ok ? plan : tierCache.get(member.idpId);
}
