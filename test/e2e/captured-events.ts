import type { EventProperties } from '../../src/platform/analytics/contract.ts';
import { eventually } from '../support/eventually.ts';
import type { TestService } from '../support/service.ts';
import type { Person } from './people.ts';

export interface Captured {
  event: string;
  properties: EventProperties;
}

/**
 * Returns a member's captured events, oldest first, once each name occurs as often as in `names`. An event is sent up
 * to a second after its cause.
 */
export async function waitForEvents(
  service: TestService,
  { email }: Person,
  expected: readonly string[],
): Promise<Captured[]> {
  let found: Captured[] = [];
  await eventually(
    async () => {
      found = await service.database.owner<Captured & Record<string, unknown>>(
        `select e.event, e.properties from public.analytics_events e join public.all_users m using (idp_id)
          where m.email = $1 order by e.occurred_at`,
        [email],
      );
      const missingEvents = found.map(({ event }) => event);
      return expected.every(
        (event) => missingEvents.includes(event) && missingEvents.splice(missingEvents.indexOf(event), 1),
      );
    },
    () => `captured is only ${found.map(({ event }) => event).join(', ')}`,
  );
  return found;
}
