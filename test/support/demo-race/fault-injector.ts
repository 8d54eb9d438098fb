import type { ServiceSql } from '../../../src/platform/database/roles.ts';
import type { Outcome, ProviderClient } from '../../../src/platform/identity/provider-client.ts';

/** What a process that has stopped answers: nothing that its caller would hear. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** The step at which a process stops: before it is taken, or after its work is done and before its answer is read. */
export interface StopAt {
  step: number;
  when: 'before' | 'after';
}

/** One injector of a process, as far as its statements, transactions and calls of the provider: each is a step. */
export interface FaultInjector {
  readonly isStopped: boolean;
  /** From now on it does not stop. */
  disable(): void;
  sql(real: ServiceSql): ServiceSql;
  provider(real: ProviderClient, loses: () => 'request' | 'answer' | 'nothing'): ProviderClient;
}

/** From its stop on it takes no step, so that no code behind the stop can put anything right. */
export function createFaultInjector(stopAt: StopAt | undefined): FaultInjector {
  let isStopped = false;
  let isDisabled = false;
  let steps = 0;
  const take = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isStopped) throw new Stopped();
    steps += 1;
    const stopsHere = !isDisabled && steps === stopAt?.step;
    if (stopsHere && stopAt.when === 'before') isStopped = true;
    if (isStopped) throw new Stopped();
    const result = await work();
    if (stopsHere) isStopped = true;
    if (isStopped) throw new Stopped();
    return result;
  };
  const wrap = (real: ServiceSql): ServiceSql => ({
    power: 'service',
    query: (text, values) => take(() => real.query(text, values)),
    transaction: (work) =>
      take(() =>
        real.transaction(async (tx) => {
          const result = await work(wrap(tx));
          if (isStopped) throw new Stopped(); // rolled back, as a broken connection is
          return result;
        }),
      ),
  });
  return {
    get isStopped() {
      return isStopped;
    },
    disable: () => void (isDisabled = true),
    sql: wrap,
    provider(real, loses) {
      const call = <T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> =>
        take(async () => {
          const lost = loses();
          if (lost === 'request') return LOST;
          const answer = await work();
          return lost === 'answer' ? LOST : answer;
        });
      return {
        getUser: (id) => call(() => real.getUser(id)),
        createSignInToken: (id, seconds) => call(() => real.createSignInToken(id, seconds)),
        revokeSignInToken: (id) => call(() => real.revokeSignInToken(id)),
        getSession: (id) => call(() => real.getSession(id)),
        listSessions: (filter) => call(() => real.listSessions(filter)),
        revokeSession: (id) => call(() => real.revokeSession(id)),
      };
    },
  };
}

const LOST = {
  ...({ ok: false, reason: 'unconfirmed' } as const),
  ...{ detail: 'reset', status: null, code: null, retryAfter: null, traceId: null },
};
