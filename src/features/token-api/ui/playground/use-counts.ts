import { startTransition, useCallback, useEffect, useRef, useState } from 'react';
import type { RequestCounts } from './count-request-text.ts';
import type { CountRequestMessage, CountResultMessage } from './count-worker.ts';
import type { RequestFiles } from './request-files.ts';

export type CountsState =
  | { status: 'loading' }
  /** The counter did not load, or a file took too long to read. */
  | { status: 'failed'; reason: 'not-loaded' | 'too-slow' }
  | RequestCounts;

/** Maximum time in ms for one count. A PDF may take long to read. */
const COUNT_TIMEOUT_MS = 120_000;
/** Pause in typing in ms before a long text is counted. */
const LONG_TEXT_DELAY_MS = 250;
const LONG_TEXT_LENGTH = 50_000;

interface CountedRequest {
  text: string;
  files: RequestFiles;
  otherModels: readonly string[];
}

/**
 * Counts a request whenever it changes, in a worker that starts with the page and ends with it. Only the result of the
 * newest text is shown.
 */
export function useCounts({ text, files, otherModels }: CountedRequest): {
  counts: CountsState;
  modelsWithSystemTurns: readonly string[];
  retry: () => void;
} {
  const [counts, setCounts] = useState<CountsState>({ status: 'loading' });
  const [modelsWithSystemTurns, setModelsWithSystemTurns] = useState<readonly string[]>([]);
  const worker = useRef<CountWorker | null>(null);

  const count = useCallback((request: CountedRequest): void => {
    worker.current ??= startCountWorker({
      onReady: setModelsWithSystemTurns,
      // The table of a long conversation renders between keystrokes.
      onCounts: (newCounts) => startTransition(() => setCounts(newCounts)),
      onFailure: (reason) => {
        worker.current = null;
        setCounts({ status: 'failed', reason });
      },
    });
    worker.current.count(request);
  }, []);

  useEffect(() => {
    const delay = text.length > LONG_TEXT_LENGTH ? LONG_TEXT_DELAY_MS : 0;
    const timer = setTimeout(() => count({ text, files, otherModels }), delay);
    return () => clearTimeout(timer);
  }, [text, files, otherModels, count]);

  useEffect(
    () => () => {
      worker.current?.stop();
      worker.current = null;
    },
    [],
  );

  const retry = (): void => {
    setCounts({ status: 'loading' });
    count({ text, files, otherModels });
  };
  return { counts, modelsWithSystemTurns, retry };
}

interface CountWorker {
  count(request: CountedRequest): void;
  stop(): void;
}

interface CountWorkerCallbacks {
  onReady(modelsWithSystemTurns: readonly string[]): void;
  onCounts(counts: RequestCounts): void;
  /** Called once. The worker has ended. */
  onFailure(reason: 'not-loaded' | 'too-slow'): void;
}

function startCountWorker({ onReady, onCounts, onFailure }: CountWorkerCallbacks): CountWorker {
  const worker = new Worker(new URL('./count-worker.ts', import.meta.url), { type: 'module' });
  const sentNames = new Set<string>();
  let lastId = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function stop(): void {
    clearTimeout(timer);
    worker.terminate();
  }
  function fail(reason: 'not-loaded' | 'too-slow'): void {
    stop();
    onFailure(reason);
  }

  worker.addEventListener('message', ({ data }: MessageEvent<CountResultMessage>) => {
    if (data.kind === 'ready') return onReady(data.modelsWithSystemTurns);
    if (data.id !== lastId) return;
    clearTimeout(timer);
    onCounts(data.counts);
  });
  worker.addEventListener('error', () => fail('not-loaded'));
  return {
    count({ text, files, otherModels }) {
      lastId += 1;
      const newFiles = [...files].filter(([name]) => !sentNames.has(name));
      for (const [name] of newFiles) sentNames.add(name);
      clearTimeout(timer);
      timer = setTimeout(() => fail('too-slow'), COUNT_TIMEOUT_MS);
      worker.postMessage({ id: lastId, text, otherModels, newFiles } satisfies CountRequestMessage);
    },
    stop,
  };
}
