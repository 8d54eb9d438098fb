import { createHash, randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ServiceSql } from '../database/roles.ts';
import type { Schedule, TaskHelpers, Tasks } from '../jobs/task.ts';
import type { Feature } from '../../feature.ts';
import { createEventBuffer } from './buffer-events.ts';
import { withoutSecrets } from './clean-properties.ts';
import { type EventProperties, funnelEvents } from './contract.ts';
import { isTrackingDeclined, registerDoNotTrackHook } from './do-not-track.ts';
import { memberRows } from './export-queries.ts';
import { forwardEvents } from './forward-events.ts';
import { addAnalyticsMetrics } from './metrics.ts';
import {
  type CapturedEvent,
  deleteMemberEvents,
  insertBrowserEvents,
  insertMemberEvents,
  purgeExpiredEvents,
  readChoice,
} from './queries.ts';
import type { AnalyticsService } from './send-batch.ts';

/** An event with its id and time from the sender. */
type TimedEvent = Pick<CapturedEvent, 'id' | 'idpId' | 'event' | 'properties' | 'occurredAt'>;

/** The visitor who caused an event, reduced to the fields for analytics. */
interface Visitor {
  /** The browser declined analytics: the event is stored here and never forwarded. */
  declined: boolean;
}

/** An event about a change of state. */
export interface TransactionalEvent {
  event: string;
  properties: EventProperties;
  /** Identifies the change, such as an object's id and its new state. A repeated transition counts once. */
  transition?: string;
  /** Time of the event (default: now). */
  occurredAt?: Date | undefined;
}

export interface Analytics extends Feature {
  /**
   * Records an action of a member. Returns immediately and never throws, so the action neither waits nor fails. Use
   * `captureInTransaction` for an event that must not be lost.
   */
  capture(idpId: string, event: string, properties: EventProperties, visitor: Visitor): void;
  /**
   * Writes events in the transaction of the change that they report. The event and the change are committed together. A
   * repeated event with one transition is stored once.
   */
  captureInTransaction(
    tx: ServiceSql,
    idpId: string,
    transactionalEvents: readonly TransactionalEvent[],
    visitor: Visitor,
  ): Promise<void>;
  /** Returns whether the current request may send the member's id to an external service. */
  mayIdentify(idpId: string): Promise<boolean>;
  /**
   * Writes events of one member's browsers that did not decline analytics. An event with a stored id is ignored.
   * Returns false if events were omitted because they exceed the member's day.
   */
  record(idpId: string, events: readonly Omit<TimedEvent, 'idpId'>[]): Promise<boolean>;
  tasks: Tasks;
  schedules: readonly Schedule[];
  /** Writes the events that are still in memory, before the process exits. */
  close(): Promise<void>;
}

interface AnalyticsDependencies {
  sql: ServiceSql;
  logger: Logger;
  /** Service that events are forwarded to. If undefined, events stay in the table. */
  service?: AnalyticsService | undefined;
  /** The shared demo account. Its events are never forwarded. */
  accounts?: { demoAccountId: string | undefined };
  /** Days that events are stored that were not forwarded (default 400). Those of the upgrade funnel stay longer. */
  retentionDays?: number | undefined;
  metrics?: { registry: Registry } | undefined;
}

const FORWARD = 'forward-analytics';
const CLEANUP = 'cleanup-analytics';

/**
 * Stores captured events in one table with a retention period. With an analytics service the table is an outbox, and
 * forwarded rows are deleted after 30 days, except for those of the upgrade funnel.
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
      'deleted expired analytics events that were never forwarded',
    );
  };
  const buffer = createEventBuffer(sql, (error, lostCount) =>
    logger.warn({ err: error, lost: lostCount }, 'failed to write analytics events'),
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
      insertMemberEvents(
        tx,
        idpId,
        transactionalEvents.map(({ event, properties, transition, occurredAt = new Date() }) => {
          const id = transition === undefined ? randomUUID() : deterministicEventId(`${event}\n${transition}`);
          return toCapturedEvent({ id, idpId, event, properties, occurredAt }, visitor);
        }),
      ),
    mayIdentify: async (idpId) =>
      !isTrackingDeclined() && idpId !== accounts?.demoAccountId && (await readChoice(sql, idpId)),
    record: (idpId, events) => {
      const capturedEvents = events.map((event) => toCapturedEvent({ ...event, idpId }, { declined: false }));
      return sql.transaction((tx) => insertBrowserEvents(tx, idpId, capturedEvents));
    },
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

/** Namespace of the service's event ids, generated once at random. */
const NAMESPACE = Buffer.from('6f1d3c0e9a744b0f8c5b2f6d1e0a7c93', 'hex');

/** Returns a UUID of version 5. One name has one id in every process. */
export function deterministicEventId(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}
