import { resolveModel } from '../../../../packages/token-counter/src/index.ts';
import { findCacheProblem } from './cache-rules.ts';
import { type ApiVersion, type CheckedRequest, getBlocks } from './checked-request.ts';
import { findMessageProblem, findPrefillProblem } from './conversation-rules.ts';
import type { Problem } from './problem.ts';
import { checkRequestShape } from './request-shape.ts';
import { findServerToolProblem } from './server-tool-rules.ts';
import { findSystemMessageProblem } from './system-message-rules.ts';
import { findCachedEmptyTextProblem, findEmptyTextProblem } from './text-rules.ts';
import { findThinkingProblem } from './thinking-rules.ts';
import { findToolCallProblem } from './tool-call-rules.ts';
import { findToolProblem } from './tool-rules.ts';

/** Returns the first field of a wrong type, or `undefined`. Does not check the rules between fields. */
export function findShapeProblem(body: unknown): Problem | undefined {
  return checkRequestShape(body);
}

/**
 * Validates a whole request in linear time: first the types of all fields, then the rules. Media limits depend on the
 * model and are checked by `findMediaProblem`. Returns the first problem with its path.
 */
export function validateRequest(body: unknown, version: ApiVersion): Problem | undefined {
  const shapeProblem = findShapeProblem(body);
  if (shapeProblem) return shapeProblem;
  const request = body as CheckedRequest;
  const { messages } = request;
  const generation = resolveModel(request.model)?.generation;
  // An unknown model is refused after the request.
  const isLatest = generation === undefined || generation === '5';
  return (
    findSystemMessageProblem(messages, isLatest) ??
    findMessageProblem(messages, version) ??
    findToolCallProblem(messages) ??
    findServerToolProblem(messages) ??
    findThinkingProblem(request, isLatest) ??
    findPrefillProblem(messages) ??
    findSystemTextProblem(request) ??
    findToolProblem(request) ??
    findCacheProblem(request)
  );
}

function findSystemTextProblem({ system }: CheckedRequest): Problem | undefined {
  for (const [index, block] of getBlocks(system).entries()) {
    const problem =
      findCachedEmptyTextProblem(block, `system.${index}`) ?? findEmptyTextProblem(block['text'] as string, 'system');
    if (problem) return problem;
  }
  return undefined;
}
