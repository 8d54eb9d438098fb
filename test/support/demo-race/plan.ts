import { seeded } from '../seeded.ts';
import type { StopAt } from './fault-injector.ts';

/** Something that begins a few turns of the event loop after the round does, in one of two processes. */
export type Action = { turns: number; process: 0 | 1 } & (
  | { does: 'complete'; invitation: 0 | 1; session: 0 | 1 | 2; ticket: 'right' | 'wrong' }
  | { does: 'revoke' | 'expire'; invitation: 0 | 1 }
  | { does: 'create' | 'reconcile' | 'end sessions' }
);

/** One round: two invitations, a session of each and one of neither, and what is done to them at once. */
export interface Plan {
  actions: Action[];
  stops: [StopAt | undefined, StopAt | undefined];
  /** What becomes of the provider's next call. */
  loses(): 'request' | 'answer' | 'nothing';
}

/** The round of a seed. The same seed plans the same; how the database orders it is its own affair. */
export function planRound(seed: number): Plan {
  const below = seeded(Math.imul(2 * seed + 1, 0x9e37_79b1));
  for (let i = 0; i < 8; i += 1) below(2);
  const loss = below(3) === 0 ? 15 : 0;
  const stop = (): StopAt | undefined =>
    below(3) === 0 ? { step: 1 + below(30), when: below(2) === 0 ? 'before' : 'after' } : undefined;
  const two = (): 0 | 1 => (below(3) === 0 ? 1 : 0);
  const action = (): Action => {
    const common = { turns: below(40), process: below(2) as 0 | 1 };
    const kind = below(20);
    if (kind < 11) {
      // Mostly an invitation's own session, so that there is something to lose.
      const invitation = two();
      const session = below(2) === 0 ? invitation : (below(3) as 0 | 1 | 2);
      return { ...common, does: 'complete', invitation, session, ticket: below(12) === 0 ? 'wrong' : 'right' };
    }
    if (kind < 15) return { ...common, does: 'revoke', invitation: two() };
    if (kind < 17) return { ...common, does: 'expire', invitation: two() };
    return { ...common, does: (['create', 'reconcile', 'end sessions'] as const)[kind - 17]! };
  };
  return {
    actions: Array.from({ length: 2 + below(8) }, action),
    stops: [stop(), stop()],
    loses: () => (below(100) >= loss ? 'nothing' : below(2) === 0 ? 'request' : 'answer'),
  };
}
