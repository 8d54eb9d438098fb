import { completeSignIn } from '../../../src/features/demo-access/complete-sign-in.ts';
import { createInvitation } from '../../../src/features/demo-access/create-invitation.ts';
import { createDemoAccessTasks } from '../../../src/features/demo-access/reconcile.ts';
import { revokeInvitation } from '../../../src/features/demo-access/revoke-invitation.ts';
import { createSessionGate, type SessionGate } from '../../../src/features/demo-access/session-gate.ts';
import { connectDatabase } from '../../../src/platform/database/connect.ts';
import { createLogger } from '../../../src/platform/http/logger.ts';
import { createEmbeddedProvider } from '../../../src/embedded/identity/provider.ts';
import { inProcessFetch } from '../../../src/embedded/shared/in-process-fetch.ts';
import type { Task } from '../../../src/platform/jobs/task.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { getTicket } from '../demo-links.ts';
import { createEmail, SECRET_KEY, SITE } from '../identity.ts';
import { type FaultInjector, createFaultInjector, type CrashPoint } from './fault-injector.ts';

const silentLogger = createLogger('silent');
const OPERATOR = { actor: 'operator', requestId: null } as const;
const VIEWER = { actor: 'viewer', requestId: null } as const;

/** One process of the deployment with its own connections and gate. */
export interface Process {
  injector: FaultInjector;
  gate: SessionGate;
  /** Advances the gate's clock by milliseconds. */
  advanceClock(milliseconds: number): void;
  create(): ReturnType<typeof createInvitation>;
  complete(sessionId: string, signIn: { invitationId: string; ticket: string }): ReturnType<typeof completeSignIn>;
  revoke(id: string): ReturnType<typeof revokeInvitation>;
  runJob(name: string, payload: object): Promise<void>;
}

export interface Deployment {
  db: TestDatabase;
  demoId: string;
  /** Starts a process that crashes at a step or never. Each provider call may lose its request or its response. */
  start(stopAt?: CrashPoint, chooseLoss?: () => 'request' | 'answer' | 'nothing'): Process;
  /** Signs in with a ticket and returns the session's id. */
  signIn(ticket: string): Promise<string>;
  /** Creates a ticket of the demo account without an invitation. */
  createUnboundTicket(): Promise<string>;
  close(): Promise<void>;
}

/** Starts processes on one PostgreSQL beside one identity provider. Both outlive the processes. */
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
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { id: string; token: string; response: { created_session_id: string } };
  };
  const secretKeyHeaders = { authorization: `Bearer ${SECRET_KEY}` };
  const user = { email_address: [createEmail()], skip_password_requirement: true };
  const demoId = (await post('/users', user, secretKeyHeaders)).id;
  accounts.demoAccountId = demoId;
  const member = { idpId: demoId, verifiedAt: null, isDemoAccount: true, isSampleUser: false };
  let startedCount = 0;

  return {
    db,
    demoId,
    start(stopAt, loses = () => 'nothing') {
      const injector = createFaultInjector(stopAt);
      const sql = injector.wrapSqlClient(pools[startedCount++ % pools.length]!.service);
      let clockMs = 0;
      const gate = createSessionGate({ sql, strict: true, clock: () => clockMs });
      const provider = injector.wrapProvider(identity.client, loses);
      const deps = { sql, gate, provider, accounts, logger: silentLogger };
      const tasks = createDemoAccessTasks(deps);
      return {
        injector,
        gate,
        advanceClock: (milliseconds) => {
          clockMs += milliseconds;
        },
        create: () =>
          createInvitation({ ...deps, baseUrl: SITE, isReady: async () => ({ ok: true }) }, 'Race', OPERATOR),
        complete: (sessionId, signIn) => completeSignIn(deps, { ...member, sessionId }, signIn, VIEWER),
        revoke: (id) => revokeInvitation(deps, id, OPERATOR),
        runJob: (name, payload) =>
          (tasks[name] as Task<object>)(payload, {
            jobId: '1',
            attempt: 1,
            maxAttempts: 1,
            signal: new AbortController().signal,
          }),
      };
    },
    signIn: async (ticket) =>
      (await post('/client/sign_ins', { strategy: 'ticket', ticket }, {})).response.created_session_id,
    createUnboundTicket: async () => (await post('/sign_in_tokens', { user_id: demoId }, secretKeyHeaders)).token,
    async close() {
      await Promise.all(pools.map((pool) => pool.close()));
      await db.drop();
    },
  };
}

/** Creates an invitation with a usable ticket. */
export async function invite(process: Process): Promise<{ id: string; ticket: string }> {
  const invitation = await process.create();
  if (!invitation.ok) throw new Error(`create came to ${invitation.reason}`);
  return { id: invitation.id, ticket: getTicket(invitation.link) };
}
