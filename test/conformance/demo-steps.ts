import type { ClerkClient } from '@clerk/backend';
import type { Page } from '@playwright/test';
import type { DemoApp } from '../support/demo-access.ts';
import { attempt, type Library } from './browser-steps.ts';
import { openLibraryPage } from './library-browser.ts';
import type { Comparison } from './print-comparison.ts';

interface Bench {
  demo: DemoApp;
  library: ClerkClient;
  getRejection(call: Promise<unknown>): Promise<unknown>;
  openPage(): Promise<Page>;
}

const link = { id: '', ticket: '', sessionId: '' };
let viewer: Page;

/** Redeems a ticket in a separate browser. */
async function redeem({ openPage }: Bench, ticket: string): Promise<{ page: Page; result: unknown }> {
  const page = await openPage();
  await openLibraryPage(page);
  return { page, result: await attempt({ page }, 'signIn', { strategy: 'ticket', ticket }) };
}

/** Calls our API from the page with a token of the library. Returns the status. */
const sendFrom = (page: Page, method: string, path: string, body?: object): Promise<number> =>
  page.evaluate(
    async ([how, where, sent]) => {
      const { clerk } = globalThis as unknown as { clerk: Library };
      const headers = {
        authorization: `Bearer ${await clerk.session!.getToken()}`,
        ...(sent && { 'content-type': 'application/json' }),
      };
      return (await fetch(where, { method: how, headers, ...(sent && { body: JSON.stringify(sent) }) })).status;
    },
    [method, path, body] as const,
  );

const readUser = (page: Page): Promise<string | null> =>
  page.evaluate(() => (globalThis as unknown as { clerk: Library }).clerk.user?.id ?? null);

/** Returns the provider's id of an invitation's ticket. */
async function findTokenId({ demo }: Bench, id: string): Promise<string> {
  const [row] = await demo.owner<{ token_id: string }>(
    'select token_id from public.demo_access_invitations where id = $1',
    [id],
  );
  return row!.token_id;
}

export const demoSteps: [name: string, step: Comparison<Bench>][] = [
  [
    "a link's ticket signs a viewer in",
    async (bench) => {
      Object.assign(link, await bench.demo.invite());
      const { page, result } = await redeem(bench, link.ticket);
      viewer = page;
      link.sessionId = await page.evaluate(() => (globalThis as unknown as { clerk: Library }).clerk.session!.id);
      const session = await bench.library.sessions.getSession(link.sessionId);
      return [
        [['complete', bench.demo.demoId, true], 'active', bench.demo.demoId],
        [result, session.status, session.userId],
      ];
    },
  ],
  [
    "its session is bound with the library's token, and admitted from then on",
    async () => {
      const before = await sendFrom(viewer, 'GET', '/api/me');
      const body = { invitation_id: link.id, ticket: link.ticket };
      const completion = await sendFrom(viewer, 'POST', '/api/demo-access/complete', body);
      return [
        [401, 200, 200],
        [before, completion, await sendFrom(viewer, 'GET', '/api/me')],
      ];
    },
  ],
  [
    'rejects a second viewer of the link, and its ticket can no longer be revoked',
    async (bench) => [
      [
        [400, 'sign_in_token_already_used_code'],
        [400, 'sign_in_token_cannot_be_revoked_code', true],
      ],
      [
        (await redeem(bench, link.ticket)).result,
        await bench.getRejection(bench.library.signInTokens.revokeSignInToken(await findTokenId(bench, link.id))),
      ],
    ],
  ],
  [
    "revoking the link ends the viewer's session everywhere",
    async (bench) => {
      const { status } = await bench.demo.operate('DELETE', `/${link.id}`);
      const rejected = await sendFrom(viewer, 'GET', '/api/me');
      const session = await bench.library.sessions.getSession(link.sessionId);
      await openLibraryPage(viewer);
      return [
        [200, 401, 'revoked', null],
        [status, rejected, session.status, await readUser(viewer)],
      ];
    },
  ],
  [
    'rejects a link that was revoked before its use',
    async (bench) => {
      const { id, ticket } = await bench.demo.invite();
      const { status } = await bench.demo.operate('DELETE', `/${id}`);
      return [
        [200, [400, 'sign_in_token_revoked_code']],
        [status, (await redeem(bench, ticket)).result],
      ];
    },
  ],
  [
    'revokes a link whose ticket and session were ended with the backend library',
    async (bench) => {
      const unused = await bench.demo.invite();
      const used = await bench.demo.invite();
      await bench.library.signInTokens.revokeSignInToken(await findTokenId(bench, unused.id));
      const { page } = await redeem(bench, used.ticket);
      const body = { invitation_id: used.id, ticket: used.ticket };
      const completion = await sendFrom(page, 'POST', '/api/demo-access/complete', body);
      const id = await page.evaluate(() => (globalThis as unknown as { clerk: Library }).clerk.session!.id);
      await bench.library.sessions.revokeSession(id);
      const revoked = await Promise.all(
        [unused, used].map((tokenRow) => bench.demo.operate('DELETE', `/${tokenRow.id}`)),
      );
      return [
        [200, 200, 200],
        [completion, ...revoked.map(({ status }) => status)],
      ];
    },
  ],
];
