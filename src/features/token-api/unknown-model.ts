import { findModel } from '../../../packages/token-counter/src/index.ts';
import { truncateForMessage } from './validation/problem.ts';

/**
 * Returns the error message of the real API for an unknown model. If the identifier is another platform's name of a
 * known model, the message suggests the name that the endpoint takes. The endpoint itself never maps a name.
 */
export function formatUnknownModel(identifier: string): string {
  const found = findModel(identifier);
  const message = `model: ${truncateForMessage(identifier)}`;
  return found === undefined ? message : `${message} was not found. Did you mean ${found.id}?`;
}
