import { suggestModel } from '../../../packages/token-counter/src/index.ts';
import { truncateForMessage } from './validation/problem.ts';

/** Returns the error message for an unknown model. It names the newest model of a family that the name contains. */
export function formatUnknownModel(name: string): string {
  const suggested = suggestModel(name);
  const message = `model: ${truncateForMessage(name)}`;
  return suggested === undefined ? message : `${message} was not found. Did you mean ${suggested.id}?`;
}
