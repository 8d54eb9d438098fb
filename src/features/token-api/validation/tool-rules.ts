import { type Block, type CheckedMessage, type CheckedRequest, getBlocks, type Tool } from './checked-request.ts';
import { isObject, prependPath, type Problem, truncateForMessage, validationError } from './problem.ts';
import { findOpenObjectProblem, findSchemaProblem } from './schema-rules.ts';

/** Returns the first problem of the tools, of references to tools and of the forced tool. */
export function findToolProblem(request: CheckedRequest): Problem | undefined {
  const { tools = [], messages } = request;
  return (
    findDefinitionProblem(tools) ??
    findDeferredProblem(tools) ??
    findReferenceProblem(tools, messages) ??
    findForcedToolProblem(request)
  );
}

function findDefinitionProblem(tools: readonly Tool[]): Problem | undefined {
  for (const [index, { input_schema: schema, strict }] of tools.entries()) {
    if (schema === undefined) continue;
    const path = `tools.${index}.custom`;
    const schemaProblem = findSchemaProblem(schema);
    if (schemaProblem) return prependPath(path, prependPath('input_schema', schemaProblem));
    const strictProblem = strict === true ? findOpenObjectProblem(schema) : undefined;
    if (strictProblem) return prependPath(path, strictProblem);
  }
  return undefined;
}

function findDeferredProblem(tools: readonly Tool[]): Problem | undefined {
  const deferred = tools.filter((tool) => tool.defer_loading === true);
  if (deferred.length === 0) return undefined;
  if (deferred.length === tools.length)
    return validationError('At least one tool must have defer_loading=false. All tools cannot be deferred.');
  const cached = deferred.find((tool) => tool.cache_control);
  return (
    cached &&
    validationError(
      `Tool '${truncateForMessage(cached.name ?? '')}' cannot have both defer_loading=true and cache_control set. ` +
        'Tools with defer_loading cannot use prompt caching.',
    )
  );
}

function findReferenceProblem(tools: readonly Tool[], messages: readonly CheckedMessage[]): Problem | undefined {
  const names = new Set(tools.map(({ name }) => name));
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const block of content) {
      if (block.type !== 'tool_result' && block.type !== 'tool_search_tool_result') continue;
      const missing = listReferences(block).find((name) => !names.has(name));
      if (missing !== undefined)
        return validationError(`Tool reference '${truncateForMessage(missing)}' not found in available tools`);
    }
  }
  return undefined;
}

/** Returns the names of the tools that a result has found. */
function listReferences({ content }: Block): readonly string[] {
  const found = isObject(content) ? content['tool_references'] : content;
  return getBlocks(found)
    .filter((reference) => isObject(reference) && reference['type'] === 'tool_reference')
    .map((reference) => String(reference['tool_name']));
}

/** Returns the problem of a tool choice without its tool. */
function findForcedToolProblem({ tool_choice: choice, tools = [] }: CheckedRequest): Problem | undefined {
  if (choice?.type === 'any' && tools.length === 0)
    return validationError('tool_choice.any may only be specified while providing tools');
  if (choice?.type !== 'tool' || tools.some(({ name }) => name === choice.name)) return undefined;
  return validationError(`Tool '${truncateForMessage(choice.name)}' not found in provided tools`);
}
