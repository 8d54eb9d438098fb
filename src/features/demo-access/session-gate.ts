import type { ServiceSql } from '../../platform/database/roles.ts';
import { readGateState } from './queries.ts';

/** Lifetime of an admission in ms. A revoked session may remain active for this time in another process. */
const ADMISSION_TTL_MS = 1_000;
/** Age of an admission in ms after which the next request refreshes it in the background. */
const ADMISSION_REFRESH_MS = 500;
const MAX_CACHED_ADMISSIONS = 10_000;

export type SessionGate = ReturnType<typeof createSessionGate>;

/**
 * Creates the gate for sessions of the demo account. If `strict` is set, it also rejects sessions without an
 * invitation.
 */
export function createSessionGate({
  sql,
  strict,
  clock = () => performance.now(),
}: {
  sql: ServiceSql;
  strict: boolean;
  /** A monotonic clock in ms. */
  clock?: () => number;
}) {
  // `clear()` replaces this object, so that a read which started before a revocation writes to a discarded cache.
  let cache = { admitted: new Map<string, number>(), reading: new Map<string, Promise<boolean>>() };

  const readAdmission = (sessionId: string): Promise<boolean> => {
    const { admitted, reading } = cache;
    const running = reading.get(sessionId);
    if (running) return running;
    const at = clock(); // before the query: its snapshot is at least as recent
    const pendingRead = readGateState(sql, sessionId)
      .then((state) => {
        const isAllowed = state === 'valid' || (state === 'unbound' && !strict);
        admitted.delete(sessionId);
        if (admitted.size >= MAX_CACHED_ADMISSIONS) admitted.clear();
        if (isAllowed) admitted.set(sessionId, at);
        return isAllowed;
      })
      .finally(() => reading.delete(sessionId));
    reading.set(sessionId, pendingRead);
    return pendingRead;
  };

  return {
    /** Whether sessions without an invitation are rejected. */
    isStrict: strict,
    /**
     * Returns whether a session is accepted. Sessions of ordinary members are accepted without a query. A session of
     * the demo account requires a valid invitation. Rejects if the database is unavailable.
     */
    async isSessionAllowed({
      sessionId,
      isDemoAccount,
    }: {
      sessionId: string;
      isDemoAccount: boolean;
    }): Promise<boolean> {
      if (!isDemoAccount) return true;
      const age = clock() - (cache.admitted.get(sessionId) ?? Number.NEGATIVE_INFINITY);
      // Never reuse a pending rejection: it may be older than this request. Read again.
      if (age >= ADMISSION_TTL_MS) return (await cache.reading.get(sessionId)) === true || readAdmission(sessionId);
      // If the refresh fails, the admission expires and the next request receives the error.
      if (age >= ADMISSION_REFRESH_MS) readAdmission(sessionId).catch(() => {});
      return true;
    },
    /** Clears all admissions and discards pending reads. Call it after a revocation is committed. */
    clear(): void {
      cache = { admitted: new Map(), reading: new Map() };
    },
  };
}
