import { seeded } from '../seeded.ts';
import type { CrashPoint } from './fault-injector.ts';

/** An action that starts in one of two processes, some turns of the event loop after the start of the round. */
export type Action = { turns: number; process: 0 | 1 } & (
  | { kind: 'complete'; invitation: 0 | 1; session: 0 | 1 | 2; ticket: 'right' | 'wrong' }
  | { kind: 'revoke' | 'expire'; invitation: 0 | 1 }
  | { kind: 'create' | 'reconcile' | 'end-sessions' }
);

/** One round: two invitations, a session of each, one without an invitation, and concurrent actions on them. */
export interface Plan {
  actions: Action[];
  stops: [CrashPoint | undefined, CrashPoint | undefined];
  /** Returns the loss of the provider's next call. */
  chooseLoss(): 'request' | 'answer' | 'nothing';
}

/** Returns the round of a seed. Equal seeds give equal plans, but the order in the database may differ. */
export function planRound(seed: number): Plan {
  const randomBelow = seeded(Math.imul(2 * seed + 1, 0x9e37_79b1));
  for (let i = 0; i < 8; i += 1) randomBelow(2);
  const loss = randomBelow(3) === 0 ? 15 : 0;
  const stop = (): CrashPoint | undefined =>
    randomBelow(3) === 0 ? { step: 1 + randomBelow(30), when: randomBelow(2) === 0 ? 'before' : 'after' } : undefined;
  const isBothProcesses = (): 0 | 1 => (randomBelow(3) === 0 ? 1 : 0);
  const drawAction = (): Action => {
    const common = { turns: randomBelow(40), process: randomBelow(2) as 0 | 1 };
    const kind = randomBelow(20);
    if (kind < 11) {
      // Most sessions belong to the invitation, so that a failure can lose them.
      const invitation = isBothProcesses();
      const session = randomBelow(2) === 0 ? invitation : (randomBelow(3) as 0 | 1 | 2);
      return { ...common, kind: 'complete', invitation, session, ticket: randomBelow(12) === 0 ? 'wrong' : 'right' };
    }
    if (kind < 15) return { ...common, kind: 'revoke', invitation: isBothProcesses() };
    if (kind < 17) return { ...common, kind: 'expire', invitation: isBothProcesses() };
    return { ...common, kind: (['create', 'reconcile', 'end-sessions'] as const)[kind - 17]! };
  };
  return {
    actions: Array.from({ length: 2 + randomBelow(8) }, drawAction),
    stops: [stop(), stop()],
    chooseLoss() {
      if (randomBelow(100) >= loss) return 'nothing';
      return randomBelow(2) === 0 ? 'request' : 'answer';
    },
  };
}
