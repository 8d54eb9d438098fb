import { z } from 'zod';
import type { HttpApp } from '../http/app-type.ts';
import {
  countTokensRequest,
  countTokensResponse,
  errorResponse,
  model,
  modelList,
  modelListQuery,
} from './contract.ts';
import type { AnswerV1 } from './endpoint/fast-path.ts';

const failures = Object.fromEntries(
  [400, 401, 404, 405, 413, 415, 429, 500, 504, 529].map((status) => [status, errorResponse]),
);
const readFailures = Object.fromEntries([400, 401, 404, 405, 500, 529].map((status) => [status, errorResponse]));

const headers = z.object({
  'x-api-key': z.string().optional().describe('The API key; wins over `authorization`.'),
  authorization: z.string().optional().describe('`Bearer <API key>`.'),
  'svc-version': z
    .string()
    .optional()
    .describe('`2023-06-01` or `2026-10-21`; this header or `anthropic-version` is required.'),
  'anthropic-version': z.string().optional().describe('Alias of `svc-version`.'),
});

/**
 * Names the `/v1` addresses to the application, for the interface description and for `inject`. The requests themselves never
 * come this far on a real server: the fast path has answered them; here they are handed to the same function.
 */
export async function addV1Routes(app: HttpApp, answer: AnswerV1): Promise<void> {
  await app.register(async (scope) => {
    scope.setValidatorCompiler(() => () => true);
    scope.addHook('onRequest', async (request, reply) => {
      reply.hijack();
      answer(request.raw, reply.raw);
    });
    const never = async (): Promise<never> => {
      throw new Error('The request was answered before.');
    };
    const tags = ['token counting'];
    scope.route({
      method: 'POST',
      url: '/v1/messages/count_tokens',
      schema: {
        tags,
        summary: 'Counts the input tokens of a message request without creating the message',
        headers,
        querystring: z.object({ beta: z.string().optional() }),
        body: countTokensRequest,
        response: { 200: countTokensResponse, ...failures },
      },
      handler: never,
    });
    scope.route({
      method: 'GET',
      url: '/v1/models',
      schema: {
        tags,
        summary: 'Lists the active models, newest first',
        headers,
        querystring: modelListQuery,
        response: { 200: modelList, ...readFailures },
      },
      handler: never,
    });
    scope.route({
      method: 'GET',
      url: '/v1/models/:id',
      schema: {
        tags,
        summary: 'One model, by its id or an alias',
        headers,
        params: z.object({ id: z.string() }),
        response: { 200: model, ...readFailures },
      },
      handler: never,
    });
  });
}
