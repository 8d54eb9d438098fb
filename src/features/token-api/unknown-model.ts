import { listModels } from '../../../packages/token-counter/src/index.ts';
import { truncateForMessage } from './validation/problem.ts';

const FAMILY_PATTERN = /^claude-(?:\d+(?:-\d+)?-)?(haiku|sonnet|opus|fable|mythos)\b/;

/**
 * The refusal of a model that is not known, as the service words it. Where the family is known, as with a model newer
 * than this counter, its models follow: guessing by a relative would be off by a share that nobody was told of.
 */
export function formatUnknownModel(id: string): string {
  const family = FAMILY_PATTERN.exec(id)?.[1];
  const familyModels = listModels().filter((row) => family !== undefined && row.id.includes(`-${family}`));
  const familyModelIds = familyModels.map((row) => row.id).join(', ');
  return `model: ${truncateForMessage(id)}${familyModelIds === '' ? '' : ` (known of its family: ${familyModelIds})`}`;
}
