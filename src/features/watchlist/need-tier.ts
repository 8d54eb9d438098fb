import type { RequestContext } from './context.ts';
import type { KnownTier } from './known-tiers.ts';
import { readPlan } from './queries.ts';

/** What a reading that the tier is part of needs of its context. */
export interface TierContext extends Pick<RequestContext, 'sql' | 'tiers'> {
  deps: Pick<RequestContext['deps'], 'logger'>;
  member: Pick<RequestContext['member'], 'idpId'>;
}

/**
 * A reading that the member's tier is part of; `undefined` where it failed and the tier is what cannot be read. A
 * failure of anything else is thrown as it came.
 */
export async function needTier<T>({ deps, member, sql }: TierContext, reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
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
export async function readByTier<T extends { head: KnownTier }>(
  context: TierContext,
  read: (known?: KnownTier) => Promise<T | undefined>,
): Promise<(T & { tier_stale: boolean }) | undefined> {
  const { tiers, member } = context;
  const found = await needTier(context, read());
  if (found) tiers.learn(member.idpId, found.head);
  const known = found ? undefined : tiers.of(member.idpId);
  const shown = found ?? (known && (await read(known)));
  return shown && { ...shown, tier_stale: !found };
}

/** The member's plan for a change that goes on without it: where it cannot be read, the one of the last hour, if any. */
export async function planOf({ deps, member, sql, tiers }: TierContext): Promise<KnownTier | undefined> {
  try {
    return await readPlan(sql, member.idpId);
  } catch (error) {
    deps.logger.warn({ err: error }, 'a tier could not be read; the change goes on without it');
    return tiers.of(member.idpId);
  }
}
