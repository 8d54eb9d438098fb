import { resolveModel } from './models.ts';
import { countInputTokens } from './request/count-request.ts';

/** What one user message costs beside its text, by the same frame that a request has. */
function frameTokens(model: string): number {
  return countInputTokens({ model, messages: [{ role: 'user', content: 'a' }] }) - 1;
}

/**
 * Tokens of a text alone, as it stands in a user message, without the message's frame.
 * @throws RangeError when the model is unknown
 */
export function countText(text: string, options: { model: string }): number {
  if (resolveModel(options.model) === undefined) throw new RangeError(`model: ${options.model}`);
  return (
    countInputTokens({ model: options.model, messages: [{ role: 'user', content: text }] }) - frameTokens(options.model)
  );
}
