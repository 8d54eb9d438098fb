import type { RequestContext } from './context.ts';
import { readTier } from './queries.ts';

/**
 * A reading that the member's tier is part of; `undefined` where it failed and the tier is what cannot be read. A
 * failure of anything else is thrown as it came.
 */
export async function needTier<T>({ deps, member, sql }: RequestContext, reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (await readTier(sql, member.idpId).catch(() => undefined)) throw error;
    deps.logger.warn({ err: error }, 'a tier could not be read');
    return undefined;
  }
}
