import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { HttpApp } from '../../http/app-type.ts';
import { advancePage } from './advance-page.ts';
import { BANKS } from './bank-data.ts';
import { type Page, renderPage } from './pages.ts';
import { type BankContext, SANDBOX_BANK_PATH } from './bank-context.ts';
import { findSession, type LinkSession, updateSession } from './sandbox-queries.ts';

/** `GET|POST /_bank/link/:token`: the hosted page, from the sign-in to the choice of accounts. */
export async function addBankPages(app: HttpApp, context: BankContext): Promise<void> {
  const { sql, now } = context;
  await app.register(async (plain) => {
    const scope = plain as unknown as HttpApp;
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16_384 },
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    );
    const path = `${SANDBOX_BANK_PATH}/link/:token`;

    /** The session of a page that can go on; else what the page says instead. */
    const open = async (token: string): Promise<{ session: LinkSession } | { page: Page; status: number }> => {
      const session = await findSession(sql, token);
      if (!session) return { page: { step: 'over', message: 'There is no such page.' }, status: 404 };
      const { returnUrl } = session.data;
      if (session.state === 'finished' || session.state === 'exited')
        return { page: { step: 'over', message: 'It was finished before.', returnUrl }, status: 410 };
      if (session.expires_at <= now())
        return { page: { step: 'over', message: 'It has expired; begin again.', returnUrl }, status: 410 };
      return { session };
    };

    scope.get<{ Params: { token: string } }>(path, async ({ params: { token } }, reply) => {
      const found = await open(token);
      if ('page' in found) return send(reply, found.page, found.status);
      const { session } = found;
      if (session.state === 'created')
        await updateSession(sql, token, session, {
          state: 'open',
          data: { ...session.data, startedAt: now().toISOString() },
        });
      return send(reply, pageOf(session));
    });

    scope.post<{ Params: { token: string } }>(path, async ({ params: { token }, body }, reply) => {
      const found = await open(token);
      if ('page' in found) return send(reply, found.page, found.status);
      const form = body instanceof URLSearchParams ? body : new URLSearchParams();
      const next = await advancePage(context, token, found.session, form, randomUUID());
      if (next === undefined) return send(reply, { step: 'over', message: 'It was changed in another window.' }, 409);
      if (next.state === 'open') return send(reply, pageOf(next, form), next.data.error === undefined ? 200 : 422);
      return reply.code(303).header('location', next.data.returnUrl).send();
    });
  });
}

const MESSAGES: Readonly<Record<string, string>> = {
  INVALID_CREDENTIALS: 'The user name or the password is wrong.',
  ITEM_LOCKED: 'The account is locked; go to the bank to unlock it.',
  INSTITUTION_DOWN: 'The bank cannot be reached right now.',
  NO_ACCOUNTS: 'There are no accounts to connect.',
  INVALID_MFA: 'The code is wrong.',
  NONE_CHOSEN: 'Choose at least one account.',
};

function pageOf({ data }: LinkSession, form?: URLSearchParams): Page {
  const error = data.error === undefined ? undefined : (MESSAGES[data.error] ?? `The bank answers ${data.error}.`);
  if (data.step === 'code') return { step: 'code', error };
  if (data.step === 'accounts')
    return { step: 'accounts', error, bank: BANKS[data.bank ?? ''] ?? '', accounts: data.accounts ?? [] };
  const isRepair = data.itemId !== null;
  return { step: 'sign-in', error, user: form?.get('user') ?? '', bank: form?.get('bank') ?? '', isRepair };
}

function send(reply: FastifyReply, page: Page, status = 200): FastifyReply {
  const { document, headers } = renderPage(page);
  return reply.code(status).headers(headers).serializer(String).send(document);
}
