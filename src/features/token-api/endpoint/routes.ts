import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpApp } from '../../../platform/http/app-type.ts';
import type { Route } from '../../../platform/http/contract.ts';
import { pathOf, UNMATCHED } from '../../../platform/http/observe-answer.ts';
import { newRequestId } from '../../../platform/http/request-id.ts';
import { routes } from '../contract.ts';
import { type Answer, answerWith, type Call, type Observers, refuse } from './answer.ts';
import { countTokens, type CountDependencies } from './count-tokens.ts';
import { answerModel, answerModelList } from './models.ts';

const PREFIX = '/v1';
const NOTHING_HERE =
  'There is nothing at this address. POST /v1/messages/count_tokens counts tokens, GET /v1/models lists the models.';

/** Mounts everything under `/v1` on a scope with that prefix and without hooks: each handler takes the reply over. */
export function addV1Routes(scope: HttpApp, deps: CountDependencies, observers: Observers): void {
  scope.setGenReqId(() => newRequestId());
  // Handlers run before Fastify looks at the body, since the key comes first.
  scope.addHook('onRequest', (request, reply) => request.routeOptions.handler.call(scope, request, reply));

  const mount = (definition: Route, handle: (call: Call, request: FastifyRequest) => Promise<Answer>): void => {
    const route = patternOf(definition);
    scope.route({
      method: definition.method,
      url: route.slice(PREFIX.length),
      config: { definition },
      handler: (request, reply) => answerWith((call) => handle(call, request), { request, reply, route }, observers),
    });
  };
  mount(routes.countTokens, (call) => countTokens(call, deps));
  mount(routes.listModels, (call) => answerModelList(call, deps.keys));
  mount(routes.getModel, (call, { params }) => answerModel(call, deps.keys, (params as { id: string }).id));

  scope.setNotFoundHandler((request, reply) => answerUnknown(request, reply, observers));
}

const patternOf = ({ path }: Route): string => path.replace('{id}', ':id');

const ADDRESSES = [routes.countTokens, routes.listModels, routes.getModel].map((definition) => ({
  route: patternOf(definition),
  matches: new RegExp(`^${definition.path.replace('{id}', '[^/]+')}$`),
  methods: definition.method === 'GET' ? ['GET', 'HEAD'] : [definition.method],
}));

/** Answers 405 with `allow` at an address that takes another method, else 404. */
function answerUnknown(request: FastifyRequest, reply: FastifyReply, observers: Observers): Promise<void> {
  const address = ADDRESSES.find(({ matches }) => matches.test(pathOf(request.raw)));
  const refusal =
    address && !address.methods.includes(request.method)
      ? refuse(
          405,
          `Method ${request.method} is not allowed here; use ${address.methods.join(' or ')}.`,
          'allow',
          address.methods.join(', '),
        )
      : refuse(404, NOTHING_HERE);
  const route = refusal.status === 405 ? address!.route : UNMATCHED;
  return answerWith(() => refusal, { request, reply, route }, observers);
}
