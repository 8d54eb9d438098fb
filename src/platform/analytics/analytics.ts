import { createHash, randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ServiceSql } from '../database/roles.ts';
import type { Schedule, TaskHelpers, Tasks } from '../jobs/task.ts';
import type { Slice } from '../../slice.ts';
import { createEventBuffer, writeEvents } from './buffer-events.ts';
import { withoutSecrets } from './clean-properties.ts';
import { type EventProperties, funnelEvents } from './contract.ts';
import { isTrackingDeclined, registerDoNotTrackHook } from './do-not-track.ts';
import { memberRows } from './export-queries.ts';
import { forwardEvents } from './forward-events.ts';
import { addAnalyticsMetrics } from './metrics.ts';
import { type CapturedEvent, deleteMemberEvents, purgeExpiredEvents, insertEvents, readChoice } from './queries.ts';
import type { AnalyticsService } from './send-batch.ts';

/** An event whose id and time its sender knows. */
type TimedEvent = Pick<CapturedEvent, 'id' | 'idpId' | 'event' | 'properties' | 'occurredAt'>;

/** Who caused an event, as far as analytics must know. */
interface Visitor {
  /** The browser declined analytics: the event is kept here and never forwarded. */
  declined: boolean;
}

/** What a change of state reports. */
export interface TransactionalEvent {
  event: string;
  properties: EventProperties;
  /** Names the change, such as an object's id and its new state, where it may be reported twice and counts once. */
  transition?: string;
  /** When it happened; now by default. */
  occurredAt?: Date | undefined;
}

export interface Analytics extends Slice {
  /**
   * Notes that a member did something. Returns at once and never throws: what it is about must not wait for it or fail
   * with it. An event that must not be lost is a fact: `captureInTransaction`.
   */
  capture(idpId: string, event: string, properties: EventProperties, visitor: Visitor): void;
  /**
   * Writes facts in the transaction of the change that they report, so that there is neither without the other. A fact
   * that was said before, by its event and transition, is one event.
   */
  captureInTransaction(
    tx: ServiceSql,
    idpId: string,
    transactionalEvents: readonly TransactionalEvent[],
    visitor: Visitor,
  ): Promise<void>;
  /** Whether this member may be named to a service outside, in a request of now. */
  mayIdentify(idpId: string): Promise<boolean>;
  /** Writes events of browsers that did not decline; one that was written already, by its id, is left as it is. */
  record(events: readonly TimedEvent[]): Promise<void>;
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
  /** The shared demo account, whose events are never forwarded. */
  accounts?: { demoAccountId: string | undefined };
  /** Days that events are kept, whether or not a service took them (default 400). */
  retentionDays?: number | undefined;
  metrics?: { registry: Registry } | undefined;
}

const FORWARD = 'forward-analytics';
const CLEANUP = 'tidy-analytics';

/**
 * Captured events: one append-only table, of which each row has an end; where an analytics service is configured an
 * outbox, which keeps what was forwarded for a month.
 */
export function createAnalytics(deps: AnalyticsDependencies): Analytics {
  const { sql, logger, service, accounts, retentionDays = 400, metrics } = deps;
  const countDropped = service && metrics && addAnalyticsMetrics(metrics.registry, sql, logger);
  const purgeExpired = async (): Promise<void> => {
    const droppedCount = await purgeExpiredEvents(sql, funnelEvents, retentionDays);
    if (!service || droppedCount === 0) return;
    countDropped?.(droppedCount);
    logger.warn(
      { dropped: droppedCount, keptDays: retentionDays },
      'analytics events grew too old while they waited for the analytics service',
    );
  };
  const buffer = createEventBuffer(sql, (error, lostCount) =>
    logger.warn({ err: error, lost: lostCount }, 'analytics events could not be written'),
  );
  const toCapturedEvent = ({ properties, ...event }: TimedEvent, { declined }: Visitor): CapturedEvent => ({
    ...event,
    properties: withoutSecrets(properties),
    localOnly: declined,
  });
  return {
    name: 'analytics',
    memberRows,
    register: registerDoNotTrackHook,
    capture: (idpId, event, properties, visitor) =>
      buffer.add(toCapturedEvent({ id: randomUUID(), idpId, event, properties, occurredAt: new Date() }, visitor)),
    captureInTransaction: (tx, idpId, transactionalEvents, visitor) =>
      insertEvents(
        tx,
        transactionalEvents.map(({ event, properties, transition, occurredAt = new Date() }) => {
          const id = transition === undefined ? randomUUID() : deterministicEventId(`${event}\n${transition}`);
          return toCapturedEvent({ id, idpId, event, properties, occurredAt }, visitor);
        }),
      ),
    mayIdentify: async (idpId) =>
      !isTrackingDeclined() && idpId !== accounts?.demoAccountId && (await readChoice(sql, idpId)),
    record: (events) =>
      writeEvents(
        sql,
        events.map((event) => toCapturedEvent(event, { declined: false })),
      ),
    tasks: {
      [CLEANUP]: purgeExpired,
      ...(service && {
        [FORWARD]: (_payload: object, { signal }: TaskHelpers) =>
          forwardEvents(sql, service, signal, accounts?.demoAccountId),
      }),
    },
    schedules: [...(service ? [{ task: FORWARD, match: '* * * * *' }] : []), { task: CLEANUP, match: '37 3 * * *' }],
    onUserDeleted: deleteMemberEvents,
    close: () => buffer.close(),
  };
}

/** Of this house alone: made once, at random. */
const NAMESPACE = Buffer.from('6f1d3c0e9a744b0f8c5b2f6d1e0a7c93', 'hex');

/** A UUID of version 5: the same name has the same id in every process. */
export function deterministicEventId(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}
