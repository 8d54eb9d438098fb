import { countInputTokens } from './prompt/count-request.ts';

/**
 * Tokens of a text alone, as it stands in a user message, without the message's frame.
 * @throws RangeError when the model is unknown
 */
export function countText(text: string, options: { model: string }): number {
  const countMessage = (content: string): number =>
    countInputTokens({ model: options.model, messages: [{ role: 'user', content }] });
  const frame = countMessage('a') - 1;
  return countMessage(text) - frame;
}
