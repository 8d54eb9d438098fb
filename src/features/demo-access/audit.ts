import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ProviderResult } from '../../platform/identity/provider-client.ts';
import { insertAuditEntry } from './audit-queries.ts';

/** On whose behalf something is done, and under which request's id. */
export interface AuditActor {
  actor: 'operator' | 'viewer' | 'reconciler';
  requestId: string | null;
}

/** What an audit entry is about. */
export interface AuditSubject extends AuditActor {
  action: string;
  invitationId: string | null;
  sessionId?: string | null;
}

/** Adds an entry. */
type RecordAudit = (subject: AuditSubject, outcome: string, traceId?: string | null) => Promise<void>;

/** Entries without which nothing is done: it throws where one cannot be written. */
export const createAuditRecorder =
  (sql: ServiceSql): RecordAudit =>
  (subject, outcome, traceId = null) =>
    insertAuditEntry(sql, { sessionId: null, ...subject, outcome: outcome.slice(0, 300), traceId });

/** Entries that are tried: what protects the account goes on without them. */
export const createBestEffortAuditRecorder = ({ sql, logger }: { sql: ServiceSql; logger: Logger }): RecordAudit => {
  const recordAudit = createAuditRecorder(sql);
  return (subject, outcome, traceId) =>
    recordAudit(subject, outcome, traceId).catch((err: unknown) =>
      logger.error({ err, action: subject.action, outcome }, 'an entry of the demo-access audit could not be written'),
    );
};

/** Calls the provider between an entry of the intent and one of the outcome. */
export async function withAudit<T>(
  recordAudit: RecordAudit,
  subject: AuditSubject,
  call: () => Promise<ProviderResult<T>>,
): Promise<ProviderResult<T>> {
  await recordAudit(subject, 'intent');
  const outcome = await call();
  await recordAudit(subject, describeResult(outcome), outcome.traceId);
  return outcome;
}

/** An outcome as the audit has it; the provider's answers hold secrets, their reasons do not. */
export function describeResult(outcome: ProviderResult<unknown>): string {
  if (outcome.ok) return 'ok';
  switch (outcome.reason) {
    case 'not_found':
      return 'not_found';
    case 'conflict':
      return `conflict: ${outcome.status} ${outcome.code}`;
    case 'unconfirmed':
      return `unconfirmed: ${outcome.detail}`;
  }
}
