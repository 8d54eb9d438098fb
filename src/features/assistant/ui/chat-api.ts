import type { callApi, sendToApi } from '../../../ui/shell/api/api.ts';
import type { Thread, ThreadAction } from './thread.ts';

/** API calls of a chat. */
export interface ChatApi {
  callApi: typeof callApi;
  sendToApi: typeof sendToApi;
}

/** Dependencies of reading an answer, whether it is streamed or polled. */
export interface AnswerReader {
  api: ChatApi;
  getThread: () => Thread;
  dispatch: (event: ThreadAction) => void;
  /** Aborted when the member leaves the thread. The service still completes its answer. */
  signal: AbortSignal;
}
