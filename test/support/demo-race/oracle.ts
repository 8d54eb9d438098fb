import type { Process } from './deployment.ts';
import type { Round } from './round.ts';

interface Row {
  id: string;
  token_id: string | null;
  session_id: string | null;
  requested: boolean;
  revoked: boolean;
  ticket_status: string | null;
  session_status: string | null;
}

interface State {
  rows: Row[];
  /** Status at the provider by session. */
  statuses: Map<string, string>;
  /** Number of bindings in the audit by invitation. */
  bindings: Map<string, number>;
}

/** Reads all unsettled invitations of earlier rounds, and the sessions of this round. */
async function readState({ deployment, invitations, sessions }: Round): Promise<State> {
  const ids = invitations.map(({ id }) => id);
  const rows = await deployment.db.owner<Row>(
    `select i.id, i.token_id, i.session_id, i.revoke_requested_at is not null as requested,
            i.revoked_at is not null as revoked, t.status as ticket_status, s.status as session_status
       from public.demo_access_invitations i
       left join idp.sign_in_tokens t on t.id = i.token_id
       left join idp.sessions s on s.id = i.session_id
      where i.id = any ($1::uuid[]) or i.revoked_at is null`,
    [ids],
  );
  const providerSessions = await deployment.db.owner<{ id: string; status: string }>(
    'select id, status from idp.sessions where id = any ($1)',
    [sessions],
  );
  const providerBindings = await deployment.db.owner<{ id: string; bindingCount: number }>(
    `select invitation_id as id, count(*)::int as "bindingCount" from public.demo_access_audit
      where invitation_id = any ($1::uuid[]) and action = 'invitation.bind' and outcome = 'ok' group by 1`,
    [ids],
  );
  return {
    rows,
    statuses: new Map(providerSessions.map(({ id, status }) => [id, status])),
    bindings: new Map(providerBindings.map(({ id, bindingCount }) => [id, bindingCount])),
  };
}

/** Returns the violations of the rules that hold at any time. */
export async function checkRound(round: Round): Promise<string[]> {
  const state = await readState(round);
  const violations = [...checkBindings(round, state), ...checkEnded(round, state)];
  for (const { id, session_id, revoked, session_status } of state.rows)
    if (revoked && session_id !== null && session_status === 'active')
      violations.push(`the session of the revoked invitation ${id} is active`);
  for (const { id, process, isConfirmed } of round.revoked) {
    const row = state.rows.find((candidate) => candidate.id === id)!;
    if (isConfirmed && !row.revoked) violations.push(`${id} was reported as revoked and is not`);
    if (!process.injector.isCrashed && row.session_id !== null && (await isAdmitted(process, row.session_id)))
      violations.push(`the process that revoked ${id} admits its session`);
  }
  for (const process of round.processes)
    if (!process.injector.isCrashed) violations.push(...(await checkGate(round, state, process)));
  return violations;
}

function checkBindings({ completed }: Round, { rows, bindings }: State): string[] {
  const violations: string[] = [];
  const sessions = rows.flatMap(({ session_id }) => session_id ?? []);
  if (new Set(sessions).size < sessions.length) violations.push('a session is bound to two invitations');
  for (const [id, times] of bindings)
    if (times > 1) violations.push(`sessions were bound to the invitation ${id} ${times} times`);
  for (const { invitationId, sessionId, result } of completed)
    if (result === 'ok' && rows.find(({ id }) => id === invitationId)?.session_id !== sessionId)
      violations.push(`a viewer received the binding of ${sessionId} to ${invitationId}, which does not exist`);
  return violations;
}

/**
 * Returns sessions that ended without permission. Only sessions of a revoked invitation and rejected sessions without
 * an invitation may end.
 */
function checkEnded({ completed, sessions }: Round, { rows, statuses }: State): string[] {
  return sessions.flatMap((session) => {
    if (statuses.get(session) === 'active') return [];
    const row = rows.find(({ session_id }) => session_id === session);
    if (row) return row.requested ? [] : [`the session of the invitation ${row.id} was ended without a revocation`];
    const hasFailedCompletion = completed.some(({ sessionId, result }) => sessionId === session && result !== 'ok');
    return hasFailedCompletion ? [] : [`the session ${session} was ended without a request`];
  });
}

/**
 * Checks that every process rejects a revoked session after one second, regardless of its cache, and never rejects a
 * valid session.
 */
async function checkGate({ sessions }: Round, { rows }: State, process: Process): Promise<string[]> {
  process.advanceClock(1_000);
  const violations: string[] = [];
  for (const session of sessions) {
    const row = rows.find(({ session_id }) => session_id === session);
    const expected = row !== undefined && !row.requested;
    if ((await isAdmitted(process, session)) !== expected)
      violations.push(
        `the gate ${expected ? 'rejects' : 'admits'} ${session} of ${row ? `the invitation ${row.id}` : 'none'}`,
      );
  }
  return violations;
}

const isAdmitted = (process: Process, sessionId: string): Promise<boolean> =>
  process.gate.isSessionAllowed({ sessionId, isDemoAccount: true });

/** Returns the violations of convergence and of its rules. At the end every invitation is revoked. */
export async function checkAfterRecovery(round: Round, recoveredProcess: Process): Promise<string[]> {
  const state = await readState(round);
  const violations = [...checkBindings(round, state), ...checkEnded(round, state)];
  for (const { id, requested, revoked, token_id, ticket_status, session_status } of state.rows) {
    if (!requested) continue;
    if (!revoked && token_id !== null) violations.push(`the revocation of ${id} is still pending`);
    if (token_id !== null && ticket_status === 'pending')
      violations.push(`the ticket of the revoked ${id} can be used`);
    if (session_status === 'active') violations.push(`the session of the revoked ${id} is active`);
  }
  const invitationBySession = new Map(
    state.rows.map(({ id, session_id, requested }) => [session_id, { id, requested }]),
  );
  for (const { sessionId, result } of round.completed)
    if (result === 'rejected' && !invitationBySession.has(sessionId) && state.statuses.get(sessionId) === 'active')
      violations.push(`the session ${sessionId} was rejected and is active`);
  for (const { invitationId, sessionId, ticket, result } of round.completed) {
    if (result !== 'ok' || invitationBySession.get(sessionId)?.requested) continue;
    const repeated = await recoveredProcess.complete(sessionId, { invitationId, ticket });
    if (!repeated.ok) violations.push(`the repeated completion returned ${repeated.reason}`);
  }
  await revokeAll(round, state, recoveredProcess, violations);
  return violations;
}

/** Revokes the remaining invitations. A ticket with a lost response is settled once it has expired. */
async function revokeAll(
  round: Round,
  { rows }: State,
  recoveredProcess: Process,
  violations: string[],
): Promise<void> {
  const { owner } = round.deployment.db;
  await owner(
    `update public.demo_access_invitations
        set created_at = created_at - interval '25 hours', expires_at = expires_at - interval '25 hours'
      where token_id is null and revoked_at is null`,
  );
  for (const { id, revoked } of rows) {
    if (revoked) continue;
    const result = await recoveredProcess.revoke(id);
    if (!result.ok) violations.push(`revoking ${id} at last came to ${result.reason}`);
  }
  const after = await readState(round);
  for (const { id, revoked, session_status } of after.rows)
    if (!revoked || session_status === 'active') violations.push(`${id} is not revoked at last`);
  violations.push(...(await checkGate(round, after, recoveredProcess)));
}
