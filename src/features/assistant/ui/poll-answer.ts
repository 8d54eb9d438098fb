import { ApiError } from '../../../ui/kit/api-error.ts';
import type { AnswerReader } from './chat-api.ts';
import { getPendingAnswer } from './thread.ts';

const POLL_INTERVAL_MS = 1_000;
/** Maximum number of polls. An answer takes at most two minutes. */
const MAX_POLLS = 240;

/** Polls a conversation until its answer has ended. */
export async function pollAnswer(
  { api, dispatch, getThread, signal }: AnswerReader,
  conversationId: string,
): Promise<void> {
  for (let polls = 0; polls < MAX_POLLS; polls += 1) {
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    if (signal.aborted) return;
    try {
      const request = { params: { id: conversationId }, signal };
      const conversation = await api.callApi('GET /api/assistant/conversations/{id}', request);
      if (signal.aborted) return;
      dispatch({ type: 'loaded', conversation });
      if (!getPendingAnswer(getThread())) return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status === 404) break;
      // Keep polling: the connection may recover.
    }
  }
  const message = 'The rest of this answer could not be loaded.';
  dispatch({ type: 'failed', error: { code: 'INTERRUPTED', message, retry: true } });
}
