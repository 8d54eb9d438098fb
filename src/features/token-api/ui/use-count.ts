import { useEffect, useRef, useState } from 'react';
import type { TokenCount, Uncertainty } from '../../../../packages/token-counter/src/index.ts';
import type { CountRequestMessage, CountResultMessage, Draft } from './count-worker.ts';

export type CountState =
  | { status: 'idle' }
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'counted'; count: TokenCount; uncertainty: Uncertainty };

interface Counter {
  state: CountState;
  /** Loads the counter before the first keystroke. */
  warmUp(): void;
  /** Counts a draft. Only the result of the newest draft is shown. A call after a failure retries. */
  count(draft: Draft): void;
}

/** Runs the counter in a worker that starts on demand and ends with the page. */
export function useCount(): Counter {
  const [state, setState] = useState<CountState>({ status: 'idle' });
  const worker = useRef<Worker | null>(null);
  const lastId = useRef(0);

  useEffect(
    () => () => {
      worker.current?.terminate();
      worker.current = null;
    },
    [],
  );

  function warmUp(): Worker {
    if (worker.current) return worker.current;
    const newWorker = new Worker(new URL('./count-worker.ts', import.meta.url), { type: 'module' });
    newWorker.addEventListener('message', ({ data }: MessageEvent<CountResultMessage>) => {
      if (data.id === lastId.current) setState({ status: 'counted', count: data.count, uncertainty: data.uncertainty });
    });
    newWorker.addEventListener('error', () => {
      newWorker.terminate();
      worker.current = null;
      setState({ status: 'failed' });
    });
    worker.current = newWorker;
    return newWorker;
  }

  return {
    state,
    warmUp: () => {
      warmUp();
    },
    count(draft) {
      lastId.current += 1;
      if (draft.message.trim() === '') return setState({ status: 'idle' });
      setState((current) => (current.status === 'counted' ? current : { status: 'loading' }));
      warmUp().postMessage({ id: lastId.current, draft } satisfies CountRequestMessage);
    },
  };
}
