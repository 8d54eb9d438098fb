import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { isTimingSafeEqual } from '../../platform/http/timing-safe-equal.ts';
import { type BrokerageContext, BROKERAGE_PATH, BROKERAGE_CLIENT_ID } from './brokerage-context.ts';
import { BrokerageError, brokerageErrors } from './brokerage-error.ts';
import { addDataRoutes } from './data-routes.ts';
import {
  deleteUser,
  insertUser,
  insertPortal,
  isValidUser,
  listAuthorizations,
  setAuthorizationState,
} from './queries.ts';
import { enqueueEvent } from './send-webhook.ts';
import { type SignedRequest, signRequest } from './sign-request.ts';

const LINK_SECONDS = 300;
/** Tolerance in seconds for a request's timestamp. */
const TOLERANCE_SECONDS = 300;
const MAX_BODY_BYTES = 16_384;

const loginBody = z.object({ customRedirect: z.url(), reconnect: z.string().nullish() });
const login = z.object({ userId: z.string(), userSecret: z.string() });

/**
 * Adds the endpoints of the aggregator's API that the service uses. Every request is signed, and errors have the
 * aggregator's format.
 */
export async function addBrokerageApi(app: HttpApp, context: BrokerageContext): Promise<void> {
  const { sql, now } = context;
  const authenticateUser = async ({ query }: FastifyRequest): Promise<string> => {
    const { userId, userSecret } = login.parse(query);
    if (!(await isValidUser(sql, userId, userSecret))) throw brokerageErrors.unknownUser();
    return userId;
  };

  await app.register(
    async (scope: HttpApp) => {
      scope.setErrorHandler((error, request, reply) => {
        const brokerageError = error instanceof z.ZodError ? brokerageErrors.invalidInput() : error;
        if (!(brokerageError instanceof BrokerageError)) throw error;
        if (brokerageError.retryAfter !== undefined) reply.header('retry-after', brokerageError.retryAfter);
        return reply.code(brokerageError.status).header('x-request-id', request.id).send(brokerageError.toBody());
      });
      // Callers need little, and the whole body is sorted before its signature is known to be right.
      scope.addHook('onRoute', (route) => {
        route.bodyLimit = MAX_BODY_BYTES;
      });
      scope.addHook('preHandler', async (request) => checkSignature(context, request));

      scope.post('/snapTrade/registerUser', async ({ body }) => {
        const { userId } = z.object({ userId: z.string().min(1) }).parse(body);
        const userSecret = `user-secret-sandbox-${randomUUID()}`;
        if (!(await insertUser(sql, userId, userSecret))) throw brokerageErrors.userExists();
        return { userId, userSecret };
      });

      scope.post('/snapTrade/login', async (request) => {
        const userId = await authenticateUser(request);
        const { customRedirect: returnUrl, reconnect = null } = loginBody.parse(request.body);
        if (reconnect !== null && !(await listAuthorizations(sql, userId)).some(({ id }) => id === reconnect))
          throw brokerageErrors.notFound();
        const token = `portal-sandbox-${randomUUID()}`;
        const expires_at = new Date(now().getTime() + LINK_SECONDS * 1_000);
        await insertPortal(sql, token, {
          state: 'created',
          data: { returnUrl, userId, reconnect },
          expires_at,
        });
        // The visitor returns to the origin that their browser used.
        const redirectURI = `${new URL(returnUrl).origin}${BROKERAGE_PATH}/portal/${token}`;
        return { redirectURI, sessionId: randomUUID() };
      });

      scope.delete('/snapTrade/deleteUser', async ({ query }) => {
        const { userId } = z.object({ userId: z.string() }).parse(query);
        if (!(await deleteUser(sql, userId))) throw brokerageErrors.notFound();
        await enqueueEvent(context, sql, { eventType: 'USER_DELETED', userId });
        context.wake();
        return { status: 'deleted', detail: 'User queued for deletion', userId };
      });

      scope.delete<{ Params: { id: string } }>('/connection/:id', async (request) => {
        const userId = await authenticateUser(request);
        const found = (await listAuthorizations(sql, userId)).find(({ id }) => id === request.params.id);
        if (!found) throw brokerageErrors.notFound();
        await setAuthorizationState(sql, found.id, 'removed');
        await enqueueEvent(context, sql, {
          eventType: 'CONNECTION_DELETED',
          userId,
          brokerageAuthorizationId: found.id,
        });
        context.wake();
        return { status: 'deleted', detail: 'Connection queued for deletion' };
      });

      addDataRoutes(scope, context, authenticateUser);
    },
    { prefix: BROKERAGE_PATH },
  );
}

async function checkSignature({ secret }: BrokerageContext, request: FastifyRequest): Promise<void> {
  const [address = '', query = ''] = (request.raw.url ?? '').split('?');
  const parameters = new URLSearchParams(query);
  const path = address.slice(BROKERAGE_PATH.length);
  const expected = computeSignature({ content: request.body ?? null, path, query }, secret);
  const { signature = '' } = request.headers;
  const age = Math.abs(Date.now() / 1_000 - Number(parameters.get('timestamp') ?? Number.NaN));
  if (
    expected === undefined ||
    parameters.get('clientId') !== BROKERAGE_CLIENT_ID ||
    !isTimingSafeEqual(String(signature), expected) ||
    !(age <= TOLERANCE_SECONDS)
  )
    throw brokerageErrors.badSignature();
}

/** Returns the signature of a request, or undefined if its body is nested deeper than the call stack. */
function computeSignature(request: SignedRequest, secret: string): string | undefined {
  try {
    return signRequest(request, secret);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
