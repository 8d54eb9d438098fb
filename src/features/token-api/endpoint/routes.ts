import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpApp, RouteLimit } from '../../../platform/http/app-type.ts';
import type { Route } from '../../../platform/http/contract.ts';
import {
  createAddressLimit,
  describeAddressLimit,
  MAX_V1_PER_ADDRESS,
} from '../../../platform/http/limit-concurrency.ts';
import { getPath, UNMATCHED } from '../../../platform/http/observe-response.ts';
import { newRequestId } from '../../../platform/http/request-id.ts';
import { routes } from '../contract.ts';
import { answerPreflight, checkBrowserAccess, isPreflight } from './browser-access.ts';
import { type ApiResult, sendApiResult, type ApiCall, type Observers, apiError } from './api-result.ts';
import { countTokens, type CountDependencies } from './count-tokens.ts';
import { handleGetModel, handleListModels } from './models.ts';

const PREFIX = '/v1';
const NOT_FOUND_MESSAGE =
  'There is nothing at this address. POST /v1/messages/count_tokens counts tokens, GET /v1/models lists the models.';

export interface RouteOptions {
  observers: Observers;
  /** The setting `TOKEN_COUNT_BROWSER_ACCESS`: whether pages of other origins may call the routes. */
  browserAccess: boolean;
}

/** Adds the `/v1` routes to a scope with that prefix and without hooks. Each handler hijacks the reply. */
export function addV1Routes(scope: HttpApp, deps: CountDependencies, options: RouteOptions): void {
  const { observers, browserAccess } = options;
  scope.setGenReqId(() => newRequestId());
  const countRequest = createAddressLimit(MAX_V1_PER_ADDRESS);
  // Handlers run before Fastify reads the body, because the key is checked first.
  scope.addHook('onRequest', (request, reply) =>
    countRequest(request, reply)
      ? request.routeOptions.handler.call(scope, request, reply)
      : sendApiResult(rejectAddress, { request, reply, route: request.routeOptions.url ?? UNMATCHED }, observers),
  );

  const mount = (
    definition: Route,
    handle: (call: ApiCall, request: FastifyRequest) => Promise<ApiResult>,
    limit?: RouteLimit,
  ): void => {
    const route = toRoutePattern(definition);
    scope.route({
      method: definition.method,
      url: route.slice(PREFIX.length),
      config: { definition, ...(limit && { limit }) },
      handler: (request, reply) =>
        sendApiResult(
          (call) => checkBrowserAccess(call, browserAccess) ?? handle(call, request),
          { request, reply, route },
          observers,
        ),
    });
  };
  mount(routes.countTokens, (call) => countTokens(call, deps), { per: 'organization', rates: deps.rateLimits.rates });
  mount(routes.listModels, (call) => handleListModels(call, deps.keys));
  mount(routes.getModel, (call, { params }) => handleGetModel(call, deps.keys, (params as { id: string }).id));

  scope.setNotFoundHandler((request, reply) => handleUnknownRoute(request, reply, options));
}

/** Rejects a request of an address that has too many requests in progress. */
function rejectAddress(): ApiResult {
  const { retryAfter, message } = describeAddressLimit(MAX_V1_PER_ADDRESS);
  return apiError(429, message, 'retry-after', String(retryAfter));
}

const toRoutePattern = ({ path }: Route): string => path.replace('{id}', ':id');

const KNOWN_PATHS = [routes.countTokens, routes.listModels, routes.getModel].map((definition) => ({
  route: toRoutePattern(definition),
  matches: new RegExp(`^${definition.path.replace('{id}', '[^/]+')}$`),
  methods: definition.method === 'GET' ? ['GET', 'HEAD'] : [definition.method],
}));

/** Answers a preflight request. Sends 405 with `allow` if the path accepts another method, or else 404. */
function handleUnknownRoute(
  request: FastifyRequest,
  reply: FastifyReply,
  { observers, browserAccess }: RouteOptions,
): Promise<void> {
  const knownPath = KNOWN_PATHS.find(({ matches }) => matches.test(getPath(request.raw)));
  if (knownPath && browserAccess && isPreflight(request.method, request.headers))
    return sendApiResult(answerPreflight, { request, reply, route: knownPath.route }, observers);
  const error =
    knownPath && !knownPath.methods.includes(request.method)
      ? apiError(
          405,
          `Method ${request.method} is not allowed here; use ${knownPath.methods.join(' or ')}.`,
          'allow',
          knownPath.methods.join(', '),
        )
      : apiError(404, NOT_FOUND_MESSAGE);
  const route = error.status === 405 ? knownPath!.route : UNMATCHED;
  return sendApiResult(() => error, { request, reply, route }, observers);
}
