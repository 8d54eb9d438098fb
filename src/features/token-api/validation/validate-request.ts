import { isSeries5, resolveModel } from '../../../../packages/token-counter/src/index.ts';
import { findCacheProblem } from './cache-rules.ts';
import { type ApiVersion, type CheckedRequest, completeContents, getBlocks } from './checked-request.ts';
import { findMessageProblem, findPrefillProblem } from './conversation-rules.ts';
import type { Problem } from './problem.ts';
import { checkRequestShape } from './request-shape.ts';
import { findServerToolProblem } from './server-tool-rules.ts';
import { findSystemMessageProblem } from './system-message-rules.ts';
import { findCachedEmptyTextProblem, findEmptyTextProblem } from './text-rules.ts';
import { findThinkingProblem } from './thinking-rules.ts';
import { findToolCallProblem } from './tool-call-rules.ts';
import { findToolProblem } from './tool-rules.ts';

/**
 * Validates a whole request in linear time: first the types of all fields, then the rules. Media limits depend on the
 * model and are checked by `findMediaProblem`. Returns the first problem with its path.
 */
export function validateRequest(body: unknown, version: ApiVersion): Problem | undefined {
  const shapeProblem = checkRequestShape(body);
  if (shapeProblem) return shapeProblem;
  const messages = completeContents((body as CheckedRequest).messages);
  const request: CheckedRequest = { ...(body as CheckedRequest), messages };
  const model = resolveModel(request.model);
  // An unknown model is rejected after the request, so its request is checked by the rules of the newest models.
  const hasNewestRules = model === undefined || isSeries5(model);
  return (
    findSystemMessageProblem(messages, hasNewestRules) ??
    findMessageProblem(messages, version) ??
    findToolCallProblem(messages) ??
    findServerToolProblem(messages) ??
    findThinkingProblem(request, hasNewestRules) ??
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
