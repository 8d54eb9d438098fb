import type { ServiceSql } from '../../platform/database/roles.ts';
import { readGateState } from './queries.ts';

/** Milliseconds for which an admission counts, and so for which a revoked session may go on in another process. */
const ADMISSION_TTL_MS = 1_000;
/** Age of an admission from which on the next request has it read again in the background. */
const ADMISSION_REFRESH_MS = 500;
const MAX_CACHED_ADMISSIONS = 10_000;

export type SessionGate = ReturnType<typeof createSessionGate>;

/** The gate for sessions of the demo account. With `strict` one that no invitation names is refused too. */
export function createSessionGate({
  sql,
  strict,
  clock = () => performance.now(),
}: {
  sql: ServiceSql;
  strict: boolean;
  /** A monotonic clock in milliseconds. */
  clock?: () => number;
}) {
  // Replaced as a whole, so that a read which began before a revocation answers into what nobody looks at any more.
  let cache = { admitted: new Map<string, number>(), reading: new Map<string, Promise<boolean>>() };

  const readAdmission = (sessionId: string): Promise<boolean> => {
    const { admitted, reading } = cache;
    const running = reading.get(sessionId);
    if (running) return running;
    const at = clock(); // before the statement: what it sees is at least as young
    const pendingRead = readGateState(sql, sessionId)
      .then((state) => {
        const isAllowed = state === 'good' || (state === 'unbound' && !strict);
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
    /** Whether a session that no invitation names is refused. */
    isStrict: strict,
    /**
     * Whether a session may go on: any of an ordinary member, without a statement; one of the demo account while its
     * invitation stands. Rejects where the database is away.
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
      // A refusal that another request is being given may be older than this one: it is read afresh.
      if (age >= ADMISSION_TTL_MS) return (await cache.reading.get(sessionId)) === true || readAdmission(sessionId);
      // Where it fails, the admission runs out and the next request hears of it.
      if (age >= ADMISSION_REFRESH_MS) readAdmission(sessionId).catch(() => {});
      return true;
    },
    /** Forgets every admission, and reads that have begun: call it once a revocation is committed. */
    clear(): void {
      cache = { admitted: new Map(), reading: new Map() };
    },
  };
}
