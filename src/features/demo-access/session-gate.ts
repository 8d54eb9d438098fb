import type { ServiceSql } from '../../platform/database/roles.ts';
import { selectGate } from './queries.ts';

/** Milliseconds for which an admission counts, and so for which a revoked session may go on in another process. */
const ADMITTED_FOR = 1_000;
/** Age of an admission from which on the next request has it read again in the background. */
const RENEWED_AFTER = 500;
const MOST_REMEMBERED = 10_000;

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
  let known = { admitted: new Map<string, number>(), reading: new Map<string, Promise<boolean>>() };

  const read = (sessionId: string): Promise<boolean> => {
    const { admitted, reading } = known;
    const running = reading.get(sessionId);
    if (running) return running;
    const at = clock(); // before the statement: what it sees is at least as young
    const asked = selectGate(sql, sessionId)
      .then((state) => {
        const admits = state === 'good' || (state === 'unbound' && !strict);
        admitted.delete(sessionId);
        if (admitted.size >= MOST_REMEMBERED) admitted.clear();
        if (admits) admitted.set(sessionId, at);
        return admits;
      })
      .finally(() => reading.delete(sessionId));
    reading.set(sessionId, asked);
    return asked;
  };

  return {
    /** Whether a session that no invitation names is refused. */
    isStrict: strict,
    /**
     * Whether a session may go on: any of an ordinary member, without a statement; one of the demo account while its
     * invitation stands. Rejects where the database is away.
     */
    async admits({ sessionId, isDemoAccount }: { sessionId: string; isDemoAccount: boolean }): Promise<boolean> {
      if (!isDemoAccount) return true;
      const age = clock() - (known.admitted.get(sessionId) ?? Number.NEGATIVE_INFINITY);
      // A refusal that another request is being given may be older than this one: it is read afresh.
      if (age >= ADMITTED_FOR) return (await known.reading.get(sessionId)) === true || read(sessionId);
      // Where it fails, the admission runs out and the next request hears of it.
      if (age >= RENEWED_AFTER) read(sessionId).catch(() => {});
      return true;
    },
    /** Forgets every admission, and reads that have begun: call it once a revocation is committed. */
    forget(): void {
      known = { admitted: new Map(), reading: new Map() };
    },
  };
}
