import { AppError } from '../../errors.ts';
import type { Guard, HttpApp } from '../../platform/http/app-type.ts';
import { encodeDocument, type EncodedDocument, sendEncodedDocument } from '../../platform/http/encoded-document.ts';
import { publicGuard } from '../../platform/http/guard.ts';
import { toRateLimitAddress } from '../../platform/http/rate-limit-address.ts';
import { createRateLimiter } from '../../platform/http/rate-limit.ts';
import type { SharedRateLimits } from '../../platform/http/redis-rate-limiter.ts';
import { route } from '../../platform/http/route.ts';
import type { Feature } from '../../feature.ts';
import { routes, type SiteDocumentName, siteDocumentName } from './contract.ts';
import type { DataRecipients } from './default-documents.ts';
import { openSamplePortfolio, type SamplePortfolioDependencies } from './open-sample-portfolio.ts';
import { renderDocument } from './render-document.ts';

interface SiteDependencies extends SamplePortfolioDependencies {
  /** Maximum sign-ins to the sample portfolio per minute from one address. */
  requestsPerMinute: number;
  /** Markdown of the operator's pages. A page without it shows a default text. */
  documents?: Partial<Record<SiteDocumentName, string>> | undefined;
  recipients: DataRecipients;
  /** Creates the limiter (default: limits of this process). */
  createLimiter?: SharedRateLimits['createLimiter'];
}

const documentGuard = publicGuard('visitors read what is stored about them before they have an account');

/** Creates the feature of what visitors open without an account. */
export function createSite(deps: SiteDependencies) {
  const { createLimiter = createRateLimiter, requestsPerMinute: limit } = deps;
  const limiter = createLimiter({ name: 'sample-portfolio', limit });
  // Each opening stores a ticket and a session for 30 days.
  const dayLimiter = createLimiter({ name: 'sample-portfolio-day', limit: limit * 50, windowMs: 86_400_000 });
  const guard: Guard = {
    description: 'open: visitors see the sample portfolio before they have an account',
    limit: { per: 'address', rates: [limiter.rate, dayLimiter.rate] },
    async check(request) {
      for (const { consume } of [limiter, dayLimiter]) {
        const result = await consume(toRateLimitAddress(request));
        if (!result.ok) throw new AppError('RATE_LIMITED', { retryAfter: result.retryAfter });
      }
    },
  };
  // A page is rendered and compressed by its first request, so that the start does not load the renderer.
  const rendered = new Map<SiteDocumentName, Promise<EncodedDocument>>();
  const render = async (name: SiteDocumentName): Promise<EncodedDocument> =>
    encodeDocument(JSON.stringify(await renderDocument(name, deps.documents?.[name], deps.recipients)));
  const readDocument = (name: SiteDocumentName): Promise<EncodedDocument> => {
    let document = rendered.get(name);
    if (!document) {
      document = render(name);
      rendered.set(name, document);
      // A failure is not kept, so that the next request renders the page again.
      document.catch(() => rendered.delete(name));
    }
    return document;
  };
  return {
    name: 'site',
    async register(app: HttpApp): Promise<void> {
      route(app, routes.getSiteDocument, { guard: documentGuard }, async (request, reply) => {
        const { name } = request.params;
        const parsed = siteDocumentName.safeParse(name);
        if (!parsed.success) throw new AppError('NOT_FOUND');
        const document = await readDocument(parsed.data);
        reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8');
        return sendEncodedDocument(reply, document);
      });
      route(app, routes.openSamplePortfolio, { guard, bodyLimit: 1_024 }, async (_request, reply) => {
        const opened = await openSamplePortfolio(deps);
        if (!opened.ok)
          throw opened.reason === 'unavailable'
            ? new AppError('UNAVAILABLE', { retryAfter: opened.retryAfter })
            : new AppError('NOT_FOUND');
        reply.code(201).header('cache-control', 'no-store');
        return { ticket: opened.ticket };
      });
    },
  } satisfies Feature;
}
