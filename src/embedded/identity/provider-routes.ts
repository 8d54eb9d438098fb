import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { handleError } from '../../platform/http/error-handler.ts';
import { isTimingSafeEqual } from '../../platform/http/timing-safe-equal.ts';
import { classifyOrigin, explainOriginMismatch } from '../../platform/identity/origins.ts';
import { addBackendInvitationRoutes } from './backend-invitation-routes.ts';
import { addBackendSessionRoutes } from './backend-session-routes.ts';
import { addBackendUserRoutes } from './backend-user-routes.ts';
import { BASE_PATH, type ProviderContext } from './context.ts';
import { addClientRoutes } from './frontend-client-routes.ts';
import { addEmailRoutes } from './frontend-email-routes.ts';
import { addMeRoutes } from './frontend-me-routes.ts';
import { addPasskeyRoutes } from './frontend-passkey-routes.ts';
import { addReverificationRoutes } from './frontend-reverification-routes.ts';
import { addSecondFactorRoutes } from './frontend-second-factor-routes.ts';
import { addSignInRoutes } from './frontend-sign-in-routes.ts';
import { ProviderError, providerErrors } from './provider-error.ts';
import { addBodyParsers } from './read-body.ts';

const BODY_LIMIT = 65_536;

const SIGN_IN_FAILURES = new Set(['form_password_or_identifier_incorrect', 'passkey_verification_failed']);

/** Adds both APIs of the embedded provider to the application. */
export async function addProviderRoutes(app: HttpApp, context: ProviderContext): Promise<void> {
  await app.register(
    async (scope: HttpApp) => {
      scope.addHook('onRoute', (route) => {
        route.bodyLimit = BODY_LIMIT;
      });
      addBodyParsers(scope);
      scope.setErrorHandler((error, request, reply) => sendProviderError(error as Error, request, reply));
      scope.addHook('onRequest', async (_request, reply) => {
        // The media type must be exact, because the backend library reads a response with a charset as plain text.
        reply
          .header('cache-control', 'no-store')
          .type('application/json')
          .serializer((body: unknown) => JSON.stringify(body));
      });

      await scope.register(async (frontend) => {
        // The handlers count the request when they find the signed-in user.
        const limit = { per: 'member', rates: [context.limits.member.rate] } as const;
        frontend.addHook('onRoute', (route) => {
          route.config = { limit, ...route.config };
        });
        frontend.addHook('onRequest', async (request) => {
          const isRead = request.method === 'GET' || request.method === 'HEAD';
          if (!isRead && classifyOrigin(request.headers, context.origins) === 'foreign')
            throw providerErrors.foreignOrigin(explainOriginMismatch(request.headers, context.origins));
        });
        addSignInRoutes(frontend, context);
        addClientRoutes(frontend, context);
        addMeRoutes(frontend, context);
        addEmailRoutes(frontend, context);
        addPasskeyRoutes(frontend, context);
        addSecondFactorRoutes(frontend, context);
        addReverificationRoutes(frontend, context);
      });

      await scope.register(async (backend) => {
        backend.addHook('onRequest', async (request) => {
          const { authorization = '' } = request.headers;
          if (!isTimingSafeEqual(authorization, `Bearer ${context.secretKey}`)) throw providerErrors.keyInvalid();
        });
        addBackendUserRoutes(backend, context);
        addBackendSessionRoutes(backend, context);
        addBackendInvitationRoutes(backend, context);
      });
    },
    { prefix: BASE_PATH },
  );
}

function sendProviderError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof ProviderError)) return handleError(error as never, request, reply);
  // Tools that block addresses read this line: docs/how-to/monitor.md.
  if (isFailedSignIn(error, request)) request.log.warn({ address: request.ip }, 'sign-in failed');
  const { retryAfter, reason } = error.details;
  if (reason !== undefined) request.log.info({ reason: reason.slice(0, 300) }, 'passkey rejected');
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfter))));
  // Headers that a route had set are removed when the route fails.
  return reply.code(error.status).type('application/json').send(error.toBody(request.id));
}

/** Returns whether the error says that a password, a passkey, or a code after a right password, was wrong. */
function isFailedSignIn({ code }: ProviderError, { routeOptions }: FastifyRequest): boolean {
  if (SIGN_IN_FAILURES.has(code)) return true;
  const isSecondFactor = routeOptions.url?.endsWith('/sign_ins/:id/attempt_second_factor') ?? false;
  return isSecondFactor && (code === 'form_code_incorrect' || code === 'verification_failed');
}
