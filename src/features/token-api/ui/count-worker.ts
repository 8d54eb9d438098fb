import {
  countTokens,
  type TokenCount,
  type Uncertainty,
  uncertaintyOf,
} from '../../../../packages/token-counter/src/index.ts';

// Others import types alone from here: the module listens as soon as it is loaded.

/** What the playground lets one type. */
export interface Draft {
  model: string;
  system: string;
  message: string;
}

/** To the worker; `id` grows, so that an answer to an older draft is known as such. */
export interface CountRequestMessage {
  id: number;
  draft: Draft;
}

/** From the worker. */
export interface CountResultMessage {
  id: number;
  count: TokenCount;
  uncertainty: Uncertainty;
}

/** Counts beside the page, so that typing never waits: the same counter as the service's, in the browser. */
addEventListener('message', ({ data }: MessageEvent<CountRequestMessage>) => {
  const { id, draft } = data;
  const count = countTokens({
    model: draft.model,
    ...(draft.system !== '' && { system: draft.system }),
    messages: [{ role: 'user', content: draft.message }],
  });
  postMessage({ id, count, uncertainty: uncertaintyOf(count, draft.model) } satisfies CountResultMessage);
});
