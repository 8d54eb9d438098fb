import type { Logger } from 'pino';
import type { ServiceSql } from '../database/roles.ts';
import type { Schedule, Tasks } from '../jobs/task.ts';
import type { Slice } from '../slice.ts';
import { createEventBuffer } from './buffer-events.ts';
import type { EventProperties } from './contract.ts';
import { type AnalyticsService, forwardEvents } from './forward-events.ts';
import { deleteEventsOf, forgetForwarded } from './queries.ts';

export interface Analytics extends Slice {
  /**
   * Notes that a member did something. Returns at once and never throws: what it is about must not wait for it or fail
   * with it.
   */
  capture(idpId: string, event: string, properties: EventProperties): void;
  tasks: Tasks;
  schedules: readonly Schedule[];
  /** Writes what is still in memory; for the end of the process. */
  close(): Promise<void>;
}

interface AnalyticsDependencies {
  sql: ServiceSql;
  logger: Logger;
  /** Where events are forwarded to; without it they stay in the table. */
  service?: AnalyticsService | undefined;
}

const FORWARD = 'forward-analytics';
const TIDY = 'tidy-analytics';

/**
 * Captured events: an append-only table; where an analytics service is configured an outbox, which keeps what was
 * forwarded for a month.
 */
export function createAnalytics({ sql, logger, service }: AnalyticsDependencies): Analytics {
  const buffer = createEventBuffer(sql, (error, lost) =>
    logger.warn({ err: error, lost }, 'analytics events could not be written'),
  );
  return {
    name: 'analytics',
    capture: (idpId, event, properties) => buffer.add({ idpId, event, properties }),
    tasks: service
      ? {
          [FORWARD]: (_payload: object, { signal }) => forwardEvents(sql, service, signal),
          [TIDY]: () => forgetForwarded(sql),
        }
      : {},
    schedules: service
      ? [
          { task: FORWARD, match: '* * * * *' },
          { task: TIDY, match: '37 3 * * *' },
        ]
      : [],
    onUserDeleted: deleteEventsOf,
    close: () => buffer.close(),
  };
}
