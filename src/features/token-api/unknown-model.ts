import { listModels } from '../../../packages/token-counter/src/index.ts';
import { shown } from './validation/problem.ts';

const FAMILY = /^claude-(?:\d+(?:-\d+)?-)?(haiku|sonnet|opus|fable|mythos)\b/;

/**
 * The refusal of a model that is not known, as the service words it. Where the family is known, as with a model newer
 * than this counter, its models follow: guessing by a relative would be off by a share that nobody was told of.
 */
export function unknownModel(id: string): string {
  const family = FAMILY.exec(id)?.[1];
  const known = listModels().filter((row) => family !== undefined && row.id.includes(`-${family}`));
  const list = known.map((row) => row.id).join(', ');
  return `model: ${shown(id)}${list === '' ? '' : ` (known of its family: ${list})`}`;
}
