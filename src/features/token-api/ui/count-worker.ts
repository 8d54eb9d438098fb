import {
  countTokens,
  type TokenCount,
  type Uncertainty,
  estimateUncertainty,
} from '../../../../packages/token-counter/src/index.ts';

// Other modules import only types from this file: it starts to listen as soon as it is loaded.

/** The input fields of the playground. */
export interface Draft {
  model: string;
  system: string;
  message: string;
}

/** Message to the worker. `id` increases, so that results of older drafts can be recognized. */
export interface CountRequestMessage {
  id: number;
  draft: Draft;
}

/** Message from the worker. */
export interface CountResultMessage {
  id: number;
  count: TokenCount;
  uncertainty: Uncertainty;
}

/** Counts in a worker with the counter of the service, so that typing is never blocked. */
addEventListener('message', ({ data }: MessageEvent<CountRequestMessage>) => {
  const { id, draft } = data;
  const count = countTokens({
    model: draft.model,
    ...(draft.system !== '' && { system: draft.system }),
    messages: [{ role: 'user', content: draft.message }],
  });
  postMessage({ id, count, uncertainty: estimateUncertainty(count, draft.model) } satisfies CountResultMessage);
});
