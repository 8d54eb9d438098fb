import type { ServiceSql } from '../../../src/platform/database/roles.ts';
import type { ProviderResult, ProviderClient } from '../../../src/platform/identity/provider-client.ts';

/** The error of a crashed process. Its caller must not handle it. */
export class SimulatedCrash extends Error {
  override readonly name = 'Stopped';
}

/**
 * The step at which a process crashes: before the step starts, or after its work is done and before its result is read.
 */
export interface CrashPoint {
  step: number;
  when: 'before' | 'after';
}

/** Injects a crash into one process. Each statement, transaction and provider call is a step. */
export interface FaultInjector {
  readonly isCrashed: boolean;
  /** Prevents a later crash. */
  disable(): void;
  wrapSqlClient(real: ServiceSql): ServiceSql;
  wrapProvider(real: ProviderClient, chooseLoss: () => 'request' | 'answer' | 'nothing'): ProviderClient;
}

/** Creates the injector. After the simulated crash every call throws, so that cleanup code cannot run. */
export function createFaultInjector(crashPoint: CrashPoint | undefined): FaultInjector {
  let isStopped = false;
  let isDisabled = false;
  let steps = 0;
  const runStep = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isStopped) throw new SimulatedCrash();
    steps += 1;
    const crashesHere = !isDisabled && steps === crashPoint?.step;
    if (crashesHere && crashPoint.when === 'before') isStopped = true;
    if (isStopped) throw new SimulatedCrash();
    const result = await work();
    if (crashesHere) isStopped = true;
    if (isStopped) throw new SimulatedCrash();
    return result;
  };
  const wrapSql = (real: ServiceSql): ServiceSql => ({
    privilege: 'service',
    query: (text, values) => runStep(() => real.query(text, values)),
    transaction: (work) =>
      runStep(() =>
        real.transaction(async (tx) => {
          const result = await work(wrapSql(tx));
          if (isStopped) throw new SimulatedCrash(); // The transaction is rolled back, as after a broken connection.
          return result;
        }),
      ),
  });
  return {
    get isCrashed() {
      return isStopped;
    },
    disable: () => {
      isDisabled = true;
    },
    wrapSqlClient: wrapSql,
    wrapProvider(real, loses) {
      const call = <T>(work: () => Promise<ProviderResult<T>>): Promise<ProviderResult<T>> =>
        runStep(async () => {
          const loss = loses();
          if (loss === 'request') return LOST_RESPONSE;
          const response = await work();
          return loss === 'answer' ? LOST_RESPONSE : response;
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

const LOST_RESPONSE = {
  ...({ ok: false, reason: 'unconfirmed' } as const),
  detail: 'reset',
  status: null,
  code: null,
  retryAfter: null,
  traceId: null,
};
