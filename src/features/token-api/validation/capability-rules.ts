import { describeModel, type ModelDescription } from '../../../../packages/token-counter/src/index.ts';
import type { CheckedRequest } from './checked-request.ts';
import { type Problem, truncateForMessage, validationError } from './problem.ts';

const USE_EFFORT = 'Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
const USE_BETWEEN_TOOLS =
  'To turn thinking off on this model, send "thinking": {"type": "between_tools"} instead of {"type": "disabled"}. The ' +
  'model does not think before responding. The short updates it writes between tool calls come back as thinking blocks.';

/**
 * Returns the problem of a request for what its model does not have, by the published facts. What is not published is
 * accepted, and so is anything of an unknown model, which is rejected later.
 */
export function findCapabilityProblem(request: CheckedRequest): Problem | undefined {
  const model = describeModel(request.model);
  if (model === undefined) return undefined;
  return (
    findForcedChoiceProblem(request, model) ??
    findComputerToolProblem(request, model) ??
    findThinkingTypeProblem(request, model) ??
    findEffortProblem(request, model)
  );
}

function findForcedChoiceProblem(
  { tool_choice: choice }: CheckedRequest,
  { forcedToolChoice }: ModelDescription,
): Problem | undefined {
  const isForced = choice?.type === 'any' || choice?.type === 'tool';
  return isForced && forcedToolChoice === false
    ? validationError('tool_choice: type "tool" and "any" are not supported for this model.')
    : undefined;
}

function findComputerToolProblem(
  { model, tools = [] }: CheckedRequest,
  { computerTools }: ModelDescription,
): Problem | undefined {
  const unsupported = tools.flatMap(({ type }) =>
    type?.startsWith('computer_') && computerTools?.includes(type) === false ? [type] : [],
  );
  if (unsupported.length === 0) return undefined;
  const suggestion = computerTools!.length > 0 ? ` Did you mean one of ${computerTools!.join(', ')}?` : '';
  return validationError(
    `'${truncateForMessage(model)}' does not support tool types: ${unsupported.map(truncateForMessage).join(', ')}.${suggestion}`,
  );
}

function findThinkingTypeProblem(
  { thinking }: CheckedRequest,
  { thinking: supported }: ModelDescription,
): Problem | undefined {
  const type = thinking?.type;
  if (type === undefined || supported[type] !== false) return undefined;
  if (type === 'adaptive') return validationError('adaptive thinking is not supported on this model');
  if (type === 'disabled' && supported.between_tools === true) return validationError(USE_BETWEEN_TOOLS);
  const advice = type !== 'between_tools' && supported.adaptive === true ? ` ${USE_EFFORT}` : '';
  return validationError(`"thinking.type.${type}" is not supported for this model.${advice}`);
}

function findEffortProblem(
  { thinking, output_config: config }: CheckedRequest,
  { efforts, needsThinkingAtHighEffort }: ModelDescription,
): Problem | undefined {
  const effort = config?.effort;
  if (effort == null || efforts === null) return undefined;
  if (efforts.length === 0) return validationError('This model does not support the effort parameter.');
  if (!efforts.includes(effort))
    return validationError(
      `This model does not support effort level '${effort}'. Supported levels: ${efforts.toSorted().join(', ')}.`,
    );
  const isOff = thinking?.type === 'disabled' || thinking?.type === 'between_tools';
  return needsThinkingAtHighEffort && isOff && (effort === 'xhigh' || effort === 'max')
    ? validationError(
        `output_config.effort '${effort}' is not supported when thinking is disabled on this model. Use effort 'high' ` +
          'or below, or enable thinking.',
      )
    : undefined;
}
