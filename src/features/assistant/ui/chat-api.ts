import type { callApi, sendToApi } from '../../../ui/shell/api/api.ts';
import type { Thread, ThreadAction } from './thread.ts';

/** The service, as far as a chat asks it. */
export interface ChatApi {
  callApi: typeof callApi;
  sendToApi: typeof sendToApi;
}

/** What reading an answer works with, whether it is streamed or polled. */
export interface AnswerReader {
  api: ChatApi;
  getThread: () => Thread;
  dispatch: (event: ThreadAction) => void;
  /** Aborted when the thread is left; the service goes on with its answer. */
  signal: AbortSignal;
}
