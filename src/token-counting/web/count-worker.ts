import { countTokens, uncertaintyOf } from '../counter/index.ts';
import type { CountOrder, CountReport } from './count-messages.ts';

/** Counts beside the page, so that typing never waits: the same counter as the service's, in the browser. */
addEventListener('message', ({ data }: MessageEvent<CountOrder>) => {
  const { id, draft } = data;
  const count = countTokens({
    model: draft.model,
    ...(draft.system !== '' && { system: draft.system }),
    messages: [{ role: 'user', content: draft.message }],
  });
  postMessage({ id, count, uncertainty: uncertaintyOf(count, draft.model) } satisfies CountReport);
});
