import { createProviderClient } from '../../../src/platform/identity/provider-client.ts';
import type { Fault, ProviderCall } from '../../fakes/identity-provider/faults.ts';
import type { FakeIdentityProvider } from '../../fakes/identity-provider/identity-provider.ts';
import { type DemoApp, startDemoApp, type Viewer } from '../demo-access.ts';
import { type ApiResponse, callBackend, TestBrowser } from '../identity.ts';
import type { TestScope } from '../test-scope.ts';

/** A timeout in ms that is long enough for any response on a busy machine. */
const LONG_TIMEOUT_MS = 30_000;
const SHORT_TIMEOUT_MS = 500;

/** The subjects on which one fault is tried. */
export interface TestBench {
  demo: DemoApp & { idp: FakeIdentityProvider };
  /** Creates an invitation whose ticket is pending. */
  createUnusedInvitation(): Promise<{ id: string; ticket: string; tokenId: string }>;
  /** Creates an invitation with its viewer's session. */
  createUsedInvitation(): Promise<{ id: string; ticket: string; viewer: Viewer }>;
  /** Creates a session of the demo account without an invitation. */
  createUnboundSession(): Promise<Viewer>;
  /** Makes the calls fail in this way while `work` runs. */
  withFaults<T>(faults: readonly [ProviderCall, Fault][], work: () => Promise<T>): Promise<T>;
}

export async function openTestBench(t: TestScope): Promise<TestBench> {
  const demo = (await startDemoApp(t, { hosted: { timeoutMs: LONG_TIMEOUT_MS } })) as TestBench['demo'];
  const { idp, provider } = demo;
  const { apiUrl, secretKey } = idp;
  const normalProvider = { ...provider };
  const withShortTimeout = createProviderClient({ apiUrl, secretKey, timeoutMs: SHORT_TIMEOUT_MS });
  const bench: TestBench = {
    demo,
    async createUnusedInvitation() {
      const invitation = await demo.invite();
      const [row] = await demo.owner<{ token_id: string }>(
        'select token_id from public.demo_access_invitations where id = $1',
        [invitation.id],
      );
      return { ...invitation, tokenId: row!.token_id };
    },
    async createUsedInvitation() {
      const { id, ticket } = await demo.invite();
      const viewer = await demo.signInWithTicket(ticket);
      const { status } = await demo.complete(viewer, { invitation_id: id, ticket });
      if (status !== 200) throw new Error(`complete answered ${status}`);
      return { id, ticket, viewer };
    },
    async createUnboundSession() {
      const ticketResponse = await callBackend(idp.url, 'POST', '/sign_in_tokens', { user_id: demo.demoId }, secretKey);
      return demo.signInWithTicket(ticketResponse.body.token as string);
    },
    async withFaults(faults, work) {
      const needsTimeout = faults.some(([, fault]) => fault === 'no answer' || fault === 'late success');
      if (needsTimeout) Object.assign(provider, withShortTimeout);
      for (const [call, fault] of faults) idp.failWith(call, fault);
      try {
        return await work();
      } finally {
        idp.clearFaults();
        Object.assign(provider, normalProvider);
      }
    },
  };
  // No request may end these sessions: one of another invitation, one without an invitation, one of an ordinary member.
  await bench.createUsedInvitation();
  await bench.createUnboundSession();
  await new TestBrowser(idp.url, idp.url).signUp();
  return bench;
}

export const revoke = ({ demo }: TestBench, id: string): Promise<ApiResponse> => demo.operate('DELETE', `/${id}`);

/** Returns the status of an invitation in the list, or `undefined` if it is absent. */
export async function findListed(
  { demo }: TestBench,
  id: string,
): Promise<{ status: string; active: boolean } | undefined> {
  const { body } = await demo.operate('GET', '');
  return (body.invitations as { id: string; status: string; active: boolean }[]).find(
    (candidate) => candidate.id === id,
  );
}

/** Returns the status of a session at the provider. */
export async function findSessionStatus({ demo }: TestBench, id: string): Promise<string | undefined> {
  const [row] = await demo.owner<{ status: string }>('select status from idp.sessions where id = $1', [id]);
  return row?.status;
}

/** Returns true if a ticket is still usable at the provider. */
export async function isPending({ demo }: TestBench, tokenId: string): Promise<boolean> {
  const [row] = await demo.owner<{ status: string }>('select status from idp.sign_in_tokens where id = $1', [tokenId]);
  return row?.status === 'pending';
}
