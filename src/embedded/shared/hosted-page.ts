import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { createRateLimiter } from '../../platform/http/rate-limit.ts';
import { toRateLimitAddress } from '../../platform/http/rate-limit-address.ts';
import { renderDonePage, renderPage, type EmbeddedName, type EmbeddedPage } from './render-page.ts';

/** A visit to a page of an embedded provider, in the states that both aggregators have. */
interface PageSession {
  state: 'created' | 'open' | 'finished' | 'exited';
  data: { error?: string };
  expires_at: Date;
}

interface HostedPage<Session extends PageSession> {
  /** Path with `:token`. */
  path: string;
  name: EmbeddedName;
  now: () => Date;
  find(token: string): Promise<Session | undefined>;
  /** Records the first visit. */
  markOpened(token: string, session: Session): Promise<unknown>;
  /** Applies a submitted form and returns the new session. Returns `undefined` if another request was faster. */
  advance(token: string, session: Session, form: URLSearchParams): Promise<Session | undefined>;
  render(session: Session, form?: URLSearchParams): EmbeddedPage;
  /** Returns the URL to which a completed or expired page redirects the browser. */
  getReturnUrl(session: Session): string;
}

/** Limits of an address on one page. Its first visit is stored, and so are submitted forms. */
const REQUESTS_PER_MINUTE = 300;
const REQUESTS_PER_DAY = 5_000;

/** Adds `GET|POST` of a hosted page: forms without script, then a redirect back. */
export async function addHostedPage<Session extends PageSession>(
  app: HttpApp,
  page: HostedPage<Session>,
): Promise<void> {
  const send = (reply: FastifyReply, embeddedPage: EmbeddedPage, status = 200): FastifyReply => {
    const { document, headers } = renderPage(embeddedPage, page.name);
    return reply.code(status).headers(headers).serializer(String).send(document);
  };
  /** Returns the session of an active page, or the page to show instead. */
  const findUsable = async (token: string): Promise<{ session: Session } | { done: EmbeddedPage; status: number }> => {
    const session = await page.find(token);
    if (!session) return { done: renderDonePage('This page does not exist.'), status: 404 };
    const returnUrl = page.getReturnUrl(session);
    if (session.state === 'finished' || session.state === 'exited')
      return { done: renderDonePage('This page is already complete.', returnUrl), status: 410 };
    if (session.expires_at <= page.now())
      return { done: renderDonePage('This page has expired. Start again.', returnUrl), status: 410 };
    return { session };
  };
  await app.register(async (scope: HttpApp) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16_384 },
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    );

    const limiters = [
      createRateLimiter({ limit: REQUESTS_PER_MINUTE }),
      createRateLimiter({ limit: REQUESTS_PER_DAY, windowMs: 86_400_000 }),
    ];
    const config = { limit: { per: 'address' as const, rates: limiters.map(({ rate }) => rate) } };
    const onRequest = async (request: FastifyRequest): Promise<void> => {
      for (const limiter of limiters) {
        const result = limiter.consume(toRateLimitAddress(request));
        if (!result.ok) throw new AppError('RATE_LIMITED', { retryAfter: result.retryAfter });
      }
    };
    scope.get<{ Params: { token: string } }>(page.path, { config, onRequest }, async ({ params: { token } }, reply) => {
      const found = await findUsable(token);
      if ('done' in found) return send(reply, found.done, found.status);
      if (found.session.state === 'created') await page.markOpened(token, found.session);
      return send(reply, page.render(found.session));
    });
    scope.post<{ Params: { token: string } }>(
      page.path,
      { config, onRequest },
      async ({ params: { token }, body }, reply) => {
        const found = await findUsable(token);
        if ('done' in found) return send(reply, found.done, found.status);
        const form = body instanceof URLSearchParams ? body : new URLSearchParams();
        const next = await page.advance(token, found.session, form);
        if (next === undefined) return send(reply, renderDonePage('This page was changed in another window.'), 409);
        if (next.state === 'open')
          return send(reply, page.render(next, form), next.data.error === undefined ? 200 : 422);
        return reply.code(303).header('location', page.getReturnUrl(next)).send();
      },
    );
  });
}
