import { type Block, type CheckedRequest, getBlocks } from './checked-request.ts';
import { type Problem, validationError } from './problem.ts';

const MAX_BREAKPOINTS = 4;
const NESTED =
  'cache_control may not be specified within `tool_result.content`. Instead, place it directly on `tool_result`';

/** The end of a part of the prompt that is cached. */
interface Breakpoint {
  path: string;
  ttl: '5m' | '1h';
}

/** A block or tool with its path. */
interface LocatedBlock {
  path: string;
  block: Pick<Block, 'cache_control'>;
}

/** Block types that hold blocks. */
const CONTAINERS: ReadonlySet<string> = new Set(['tool_result', 'search_result', 'document']);

/** Returns the problem of the cache breakpoints of all places. */
export function findCacheProblem(request: CheckedRequest): Problem | undefined {
  const { messages } = request;
  const breakpoints = [...listLocated('tools', request.tools), ...listLocated('system', request.system)].flatMap(
    ({ path, block }) => toBreakpoints(block, path),
  );
  for (let message = 0; message < messages.length; message += 1) {
    const { content } = messages[message]!;
    if (typeof content === 'string') continue;
    for (let index = 0; index < content.length; index += 1) {
      const block = content[index]!;
      if (!block.cache_control && !CONTAINERS.has(block.type)) continue;
      const path = `messages.${message}.content.${index}`;
      const problem = block.type === 'tool_result' ? findNestedProblem(block, path) : undefined;
      if (problem) return problem;
      for (const each of listWithInner(block)) breakpoints.push(...toBreakpoints(each, path));
    }
  }
  const automatic = toBreakpoints(request, '');
  return (
    findCountProblem(breakpoints.length + automatic.length) ??
    findOrderProblem([...breakpoints, ...automatic]) ??
    findMismatchProblem(request, automatic[0])
  );
}

const listLocated = (field: string, blocks: unknown): LocatedBlock[] =>
  getBlocks(blocks).map((block, index) => ({ path: `${field}.${index}`, block }));

function toBreakpoints({ cache_control: control }: Pick<Block, 'cache_control'>, path: string): Breakpoint[] {
  return control ? [{ path, ttl: control.ttl ?? '5m' }] : [];
}

/** Returns the blocks in a block, and then the block itself. */
function listWithInner(block: Block): readonly Block[] {
  if (block.type === 'tool_result' || block.type === 'search_result') return [...getBlocks(block['content']), block];
  if (block.type !== 'document') return [block];
  return [...getBlocks((block['source'] as { content?: unknown }).content), block];
}

/**
 * Returns the problem of a breakpoint within a result. The real API accepts one only on the last block, as the result's
 * own.
 */
function findNestedProblem(result: Block, path: string): Problem | undefined {
  const inner = getBlocks(result['content']);
  const lastAllowed = result.cache_control ? -1 : inner.length - 1;
  const index = inner.findIndex((block, position) => block.cache_control && position !== lastAllowed);
  return index === -1 ? undefined : validationError(NESTED, `${path}.tool_result.content.${index}.cache_control`);
}

function findCountProblem(count: number): Problem | undefined {
  return count > MAX_BREAKPOINTS
    ? validationError(`A maximum of ${MAX_BREAKPOINTS} blocks with cache_control may be provided. Found ${count}.`)
    : undefined;
}

/** Returns the problem of a breakpoint with a longer lifetime than one before it. */
function findOrderProblem(breakpoints: readonly Breakpoint[]): Problem | undefined {
  const firstShort = breakpoints.findIndex(({ ttl }) => ttl === '5m');
  const misplaced = firstShort === -1 ? undefined : breakpoints.slice(firstShort).find(({ ttl }) => ttl === '1h');
  if (!misplaced) return undefined;
  return validationError(
    "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed " +
      'in the following order: `tools`, `system`, `messages`.',
    `${misplaced.path === '' ? '' : `${misplaced.path}.`}cache_control.ttl`,
  );
}

/** Returns the problem of an automatic breakpoint on a block that has one of another lifetime. */
function findMismatchProblem({ messages }: CheckedRequest, automatic: Breakpoint | undefined): Problem | undefined {
  const target = getBlocks(messages.at(-1)!.content).at(-1);
  const own = target && toBreakpoints(target, '')[0];
  if (!automatic || !own || own.ttl === automatic.ttl) return undefined;
  return validationError(
    `Top-level cache_control has ttl='${automatic.ttl}' but the target block already has cache_control with ` +
      `ttl='${own.ttl}'. When both are specified on the same block, they must have matching TTLs.`,
  );
}
