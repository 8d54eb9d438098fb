import { createHash, randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ServiceSql } from '../database/roles.ts';
import type { Schedule, TaskHelpers, Tasks } from '../jobs/task.ts';
import type { Slice } from '../../slice.ts';
import { createEventBuffer, writeEvents } from './buffer-events.ts';
import { withoutSecrets } from './clean-properties.ts';
import { type EventProperties, funnelEvents } from './contract.ts';
import { isDeclined, noteDeclined } from './declined.ts';
import { memberRows } from './export-queries.ts';
import { forwardEvents } from './forward-events.ts';
import { addAnalyticsMetrics } from './metrics.ts';
import { type CapturedEvent, deleteEventsOf, forgetEvents, insertEvents, readChoice } from './queries.ts';
import type { AnalyticsService } from './send-batch.ts';

/** An event whose id and time its sender knows. */
type TimedEvent = Pick<CapturedEvent, 'id' | 'idpId' | 'event' | 'properties' | 'occurredAt'>;

/** Who caused an event, as far as analytics must know. */
interface Visitor {
  /** The browser declined analytics: the event is kept here and never forwarded. */
  declined: boolean;
}

/** What a change of state reports. */
export interface Fact {
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
   * with it. An event that must not be lost is a fact: `captureIn`.
   */
  capture(idpId: string, event: string, properties: EventProperties, visitor: Visitor): void;
  /**
   * Writes facts in the transaction of the change that they report, so that there is neither without the other. A fact
   * that was said before, by its event and transition, is one event.
   */
  captureIn(tx: ServiceSql, idpId: string, facts: readonly Fact[], visitor: Visitor): Promise<void>;
  /** Whether this member may be named to a service outside, in a request of now. */
  mayName(idpId: string): Promise<boolean>;
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
  keptDays?: number | undefined;
  metrics?: { registry: Registry } | undefined;
}

const FORWARD = 'forward-analytics';
const TIDY = 'tidy-analytics';

/**
 * Captured events: one append-only table, of which each row has an end; where an analytics service is configured an
 * outbox, which keeps what was forwarded for a month.
 */
export function createAnalytics(deps: AnalyticsDependencies): Analytics {
  const { sql, logger, service, accounts, keptDays = 400, metrics } = deps;
  const countDropped = service && metrics && addAnalyticsMetrics(metrics.registry, sql, logger);
  const tidy = async (): Promise<void> => {
    const dropped = await forgetEvents(sql, funnelEvents, keptDays);
    if (!service || dropped === 0) return;
    countDropped?.(dropped);
    logger.warn({ dropped, keptDays }, 'analytics events grew too old while they waited for the analytics service');
  };
  const buffer = createEventBuffer(sql, (error, lost) =>
    logger.warn({ err: error, lost }, 'analytics events could not be written'),
  );
  const row = ({ properties, ...event }: TimedEvent, { declined }: Visitor): CapturedEvent => ({
    ...event,
    properties: withoutSecrets(properties),
    localOnly: declined,
  });
  return {
    name: 'analytics',
    memberRows,
    register: noteDeclined,
    capture: (idpId, event, properties, visitor) =>
      buffer.add(row({ id: randomUUID(), idpId, event, properties, occurredAt: new Date() }, visitor)),
    captureIn: (tx, idpId, facts, visitor) =>
      insertEvents(
        tx,
        facts.map(({ event, properties, transition, occurredAt = new Date() }) => {
          const id = transition === undefined ? randomUUID() : factId(`${event}\n${transition}`);
          return row({ id, idpId, event, properties, occurredAt }, visitor);
        }),
      ),
    mayName: async (idpId) => !isDeclined() && idpId !== accounts?.demoAccountId && (await readChoice(sql, idpId)),
    record: (events) =>
      writeEvents(
        sql,
        events.map((event) => row(event, { declined: false })),
      ),
    tasks: {
      [TIDY]: tidy,
      ...(service && {
        [FORWARD]: (_payload: object, { signal }: TaskHelpers) =>
          forwardEvents(sql, service, signal, accounts?.demoAccountId),
      }),
    },
    schedules: [...(service ? [{ task: FORWARD, match: '* * * * *' }] : []), { task: TIDY, match: '37 3 * * *' }],
    onUserDeleted: deleteEventsOf,
    close: () => buffer.close(),
  };
}

/** Of this house alone: made once, at random. */
const NAMESPACE = Buffer.from('6f1d3c0e9a744b0f8c5b2f6d1e0a7c93', 'hex');

/** A UUID of version 5: the same name has the same id in every process. */
export function factId(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}
