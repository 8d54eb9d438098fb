import { isSeries5, resolveModel } from '../../../../packages/token-counter/src/index.ts';
import { findCacheProblem } from './cache-rules.ts';
import { findCapabilityProblem } from './capability-rules.ts';
import { type ApiVersion, type CheckedRequest, completeContents, getBlocks } from './checked-request.ts';
import { findMessageProblem, findPrefillProblem } from './conversation-rules.ts';
import { type Problem, validationError } from './problem.ts';
import { checkRequestShape } from './request-shape.ts';
import { findServerToolProblem } from './server-tool-rules.ts';
import { findMissingContent, findSystemMessageProblem } from './system-message-rules.ts';
import { findCachedEmptyTextProblem, findEmptyTextProblem } from './text-rules.ts';
import { findThinkingProblem } from './thinking-rules.ts';
import { findToolCallProblem } from './tool-call-rules.ts';
import { findToolProblem } from './tool-rules.ts';

/**
 * Validates a whole request in linear time: first the types of all fields, then the rules. Media limits depend on the
 * model and are checked by `findMediaProblem`. Returns the first problem with its path.
 * @param betas values of the `anthropic-beta` header
 */
export function validateRequest(
  body: unknown,
  version: ApiVersion,
  betas: readonly string[] = [],
): Problem | undefined {
  const shapeProblem = checkRequestShape(body) ?? findDeprecatedProblem(body as CheckedRequest, betas);
  if (shapeProblem) return shapeProblem;
  const missingContent = findMissingContent((body as CheckedRequest).messages);
  if (missingContent) return missingContent;
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
    findCapabilityProblem(request) ??
    findCacheProblem(request)
  );
}

/** The field was renamed at the end of its beta, which older clients still name in their header. */
function findDeprecatedProblem(
  { output_format: format }: CheckedRequest,
  betas: readonly string[],
): Problem | undefined {
  if (format == null || betas.some((beta) => beta.startsWith('structured-outputs-'))) return undefined;
  return validationError("This field is deprecated. Use 'output_config.format' instead.", 'output_format');
}

function findSystemTextProblem({ system }: CheckedRequest): Problem | undefined {
  if (typeof system === 'string') return system === '' ? undefined : findEmptyTextProblem(system, 'system');
  for (const [index, block] of getBlocks(system).entries()) {
    const problem =
      findCachedEmptyTextProblem(block, `system.${index}`) ?? findEmptyTextProblem(block['text'] as string, 'system');
    if (problem) return problem;
  }
  return undefined;
}
