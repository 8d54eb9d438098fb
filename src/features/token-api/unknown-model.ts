import { listModels } from '../../../packages/token-counter/src/index.ts';
import { truncateForMessage } from './validation/problem.ts';

const FAMILY_PATTERN = /^claude-(?:\d+(?:-\d+)?-)?(haiku|sonnet|opus|fable|mythos)\b/;

/**
 * Returns the error message of the real API for an unknown model. If the model's family is known, the message lists its
 * models. Counting like a related model would add an undisclosed error.
 */
export function formatUnknownModel(id: string): string {
  const family = FAMILY_PATTERN.exec(id)?.[1];
  const familyModels = listModels().filter((row) => family !== undefined && row.id.includes(`-${family}`));
  const familyModelIds = familyModels.map((row) => row.id).join(', ');
  return `model: ${truncateForMessage(id)}${familyModelIds === '' ? '' : ` (known of its family: ${familyModelIds})`}`;
}
