import type { HttpApp } from '../http/app-type.ts';
import { route } from '../http/route.ts';
import { routes } from './contract.ts';
import type { AnswerV1 } from './endpoint/fast-path.ts';

/**
 * Names the `/v1` addresses to the application, for the interface description and for `inject`. The requests themselves
 * never come this far on a real server: the fast path has answered them; here they are handed to the same function.
 */
export async function addV1Routes(app: HttpApp, answer: AnswerV1): Promise<void> {
  await app.register(async (scope: HttpApp) => {
    scope.setValidatorCompiler(() => () => true);
    scope.addHook('onRequest', async (request, reply) => {
      reply.hijack();
      answer(request.raw, reply.raw);
    });
    const never = async (): Promise<never> => {
      throw new Error('The request was answered before.');
    };
    for (const definition of [routes.countTokens, routes.listModels, routes.getModel]) route(scope, definition, never);
  });
}
