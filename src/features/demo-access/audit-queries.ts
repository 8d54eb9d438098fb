import type { ServiceSql } from '../../platform/database/roles.ts';

interface AuditEntry {
  actor: string;
  action: string;
  outcome: string;
  invitationId: string | null;
  sessionId: string | null;
  requestId: string | null;
  traceId: string | null;
}

/** Adds an audit entry. Entries are never changed. */
export async function insertAuditEntry(sql: ServiceSql, entry: AuditEntry): Promise<void> {
  await sql.query(
    `insert into public.demo_access_audit (actor, action, outcome, invitation_id, session_id, request_id, trace_id)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [entry.actor, entry.action, entry.outcome, entry.invitationId, entry.sessionId, entry.requestId, entry.traceId],
  );
}
