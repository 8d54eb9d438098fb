import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ProviderResult } from '../../platform/identity/provider-client.ts';
import { insertAuditEntry } from './audit-queries.ts';

/** The actor of an action, and the id of the request. */
export interface AuditActor {
  actor: 'operator' | 'viewer' | 'reconciler';
  requestId: string | null;
}

/** The subject of an audit entry. */
export interface AuditSubject extends AuditActor {
  action: string;
  invitationId: string | null;
  sessionId?: string | null;
}

/** Adds an entry. */
type RecordAudit = (subject: AuditSubject, outcome: string, traceId?: string | null) => Promise<void>;

/** Creates a recorder that throws if it cannot write an entry, so that no action is taken without one. */
export const createAuditRecorder =
  (sql: ServiceSql): RecordAudit =>
  (subject, outcome, traceId = null) =>
    insertAuditEntry(sql, { sessionId: null, ...subject, outcome: outcome.slice(0, 300), traceId });

/** Creates a recorder that logs its failures, for actions that protect the account and must continue. */
export const createBestEffortAuditRecorder = ({ sql, logger }: { sql: ServiceSql; logger: Logger }): RecordAudit => {
  const recordAudit = createAuditRecorder(sql);
  return (subject, outcome, traceId) =>
    recordAudit(subject, outcome, traceId).catch((err: unknown) =>
      logger.error({ err, action: subject.action, outcome }, 'failed to write demo-access audit entry'),
    );
};

/** Calls the provider between an entry of the intent and an entry of the outcome. */
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

/** Formats a provider result for the audit. It contains only the reason, because responses contain secrets. */
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
