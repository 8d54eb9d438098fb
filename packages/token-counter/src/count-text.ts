import { countInputTokens } from './prompt/count-request.ts';

/**
 * Returns the tokens of a text within a user message, without the frame of the message. A long text that was counted
 * before an edit is counted only around the edit.
 * @throws RangeError for an unknown model
 */
export function countText(text: string, options: { model: string }): number {
  const countMessage = (content: string): number =>
    countInputTokens({ model: options.model, messages: [{ role: 'user', content }] });
  const frame = countMessage('a') - 1;
  return countMessage(text) - frame;
}
