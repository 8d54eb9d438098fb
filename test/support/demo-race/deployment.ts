import { completeSignIn } from '../../../src/features/demo-access/complete-sign-in.ts';
import { createInvitation } from '../../../src/features/demo-access/create-invitation.ts';
import { demoAccessTasks } from '../../../src/features/demo-access/reconcile.ts';
import { revokeInvitation } from '../../../src/features/demo-access/revoke-invitation.ts';
import { createSessionGate, type SessionGate } from '../../../src/features/demo-access/session-gate.ts';
import { connectDatabase } from '../../../src/platform/database/connect.ts';
import { createLogger } from '../../../src/platform/http/logger.ts';
import { createEmbeddedProvider } from '../../../src/embedded/identity/provider.ts';
import { inProcessFetch } from '../../../src/embedded/shared/in-process-fetch.ts';
import type { Task } from '../../../src/platform/jobs/task.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { ticketOf } from '../demo-links.ts';
import { newEmail, SECRET_KEY, SITE } from '../identity.ts';
import { type FaultInjector, createFaultInjector, type StopAt } from './fault-injector.ts';

const SILENT = createLogger('silent');
const OPERATOR = { actor: 'operator', requestId: null } as const;
const VIEWER = { actor: 'viewer', requestId: null } as const;

/** One process of the deployment, with connections and a gate of its own. */
export interface Process {
  injector: FaultInjector;
  gate: SessionGate;
  /** Puts the gate's clock on by milliseconds. */
  wait(milliseconds: number): void;
  create(): ReturnType<typeof createInvitation>;
  complete(sessionId: string, signIn: { invitationId: string; ticket: string }): ReturnType<typeof completeSignIn>;
  revoke(id: string): ReturnType<typeof revokeInvitation>;
  runJob(name: string, payload: object): Promise<void>;
}

export interface Deployment {
  db: TestDatabase;
  demoId: string;
  /** A process that stops at a step, or never; each call of the provider may lose its request or its answer. */
  start(stopAt?: StopAt, loses?: () => 'request' | 'answer' | 'nothing'): Process;
  /** Signs in with a ticket; the session's id. */
  signIn(ticket: string): Promise<string>;
  /** A ticket of the demo account that no invitation knows. */
  looseTicket(): Promise<string>;
  close(): Promise<void>;
}

/** Processes on one PostgreSQL beside one identity provider, which outlive them. */
export async function openDeployment(): Promise<Deployment> {
  const db = await createTestDatabase();
  const pools = [connectDatabase(db.urls), connectDatabase(db.urls)];
  const accounts = { demoAccountId: '', sampleUserId: undefined };
  const limits = { signInPerPerson: 1e9, signInPerAddress: 1e9, signUpPerAddress: 1e9 };
  const identity = createEmbeddedProvider({
    sql: db.database.service,
    baseUrl: SITE,
    secretKey: SECRET_KEY,
    accounts,
    limits,
  });
  const send = inProcessFetch(identity.addRoutes, undefined);
  const post = async (path: string, body: object, headers: Record<string, string>) => {
    const answer = await send(`${SITE}/_idp/v1${path}`, {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: { 'content-type': 'application/json', ...headers },
    });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { id: string; token: string; response: { created_session_id: string } };
  };
  const byKey = { authorization: `Bearer ${SECRET_KEY}` };
  const user = { email_address: [newEmail()], skip_password_requirement: true };
  const demoId = (await post('/users', user, byKey)).id;
  accounts.demoAccountId = demoId;
  const member = { idpId: demoId, isDemoAccount: true, isSampleUser: false };
  let started = 0;

  return {
    ...{ db, demoId },
    start(stopAt, loses = () => 'nothing') {
      const injector = createFaultInjector(stopAt);
      const sql = injector.sql(pools[started++ % pools.length]!.service);
      let time = 0;
      const gate = createSessionGate({ sql, strict: true, clock: () => time });
      const provider = injector.provider(identity.client, loses);
      const deps = { sql, gate, provider, accounts, logger: SILENT };
      const tasks = demoAccessTasks(deps);
      return {
        injector,
        gate,
        wait: (milliseconds) => void (time += milliseconds),
        create: () =>
          createInvitation({ ...deps, baseUrl: SITE, isReady: async () => ({ ok: true }) }, 'Race', OPERATOR),
        complete: (sessionId, signIn) => completeSignIn(deps, { ...member, sessionId }, signIn, VIEWER),
        revoke: (id) => revokeInvitation(deps, id, OPERATOR),
        runJob: (name, payload) =>
          (tasks[name] as Task<object>)(payload, {
            ...{ jobId: '1', attempt: 1, maxAttempts: 1 },
            signal: new AbortController().signal,
          }),
      };
    },
    signIn: async (ticket) =>
      (await post('/client/sign_ins', { strategy: 'ticket', ticket }, {})).response.created_session_id,
    looseTicket: async () => (await post('/sign_in_tokens', { user_id: demoId }, byKey)).token,
    async close() {
      await Promise.all(pools.map((pool) => pool.close()));
      await db.drop();
    },
  };
}

/** Makes an invitation that can be used. */
export async function invite(process: Process): Promise<{ id: string; ticket: string }> {
  const made = await process.create();
  if (!made.ok) throw new Error(`create came to ${made.reason}`);
  return { id: made.id, ticket: ticketOf(made.link) };
}
