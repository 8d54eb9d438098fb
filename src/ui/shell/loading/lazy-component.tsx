import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { ChunkLoadError } from './import-with-retry.ts';
import { reload } from '../navigation/location.ts';
import { ErrorBoundary } from '../../kit/error-boundary.tsx';
import { ErrorMessage } from '../../kit/error-message.tsx';

/** A part of the app whose code travels when it is first needed. */
export interface LazyComponentHandle<Props> {
  /** What it is called where it did not arrive. */
  name: string;
  Content: ComponentType<Props>;
  /** Forgets a try that failed: React would remember it for good. */
  reset(): void;
  /** Fetches the code ahead of the need; a failure shows when the part is opened. Settles either way. */
  load(): Promise<void>;
  /** The same, without a promise. */
  preload(): void;
  /** What a control that opens it takes: the code is fetched when a pointer or the focus comes near. */
  preloadProps: { onPointerEnter: () => void; onFocus: () => void };
}

interface LoadedModule<Props> {
  default: ComponentType<Props>;
}

export function lazyComponent<Props>(
  name: string,
  importModule: () => Promise<LoadedModule<Props>>,
): LazyComponentHandle<Props> {
  let loadedModule: LoadedModule<Props> | undefined;
  const loadModule = async (): Promise<LoadedModule<Props>> => (loadedModule = await importModule());
  const createContent = (): ComponentType<Props> =>
    lazy(
      () =>
        (loadedModule ? toResolvedThenable(loadedModule) : loadModule().catch(reloadOnStaleChunk)) as Promise<{
          default: ComponentType<object>;
        }>,
    ) as unknown as ComponentType<Props>;
  const preload = (): void => void component.load();
  const component: LazyComponentHandle<Props> = {
    name,
    Content: createContent(),
    reset() {
      component.Content = createContent();
    },
    async load() {
      await loadModule().catch(() => undefined);
    },
    preload,
    preloadProps: { onPointerEnter: preload, onFocus: preload },
  };
  return component;
}

interface LazyComponentProps<Props> {
  component: LazyComponentHandle<Props>;
  props: Props & object;
  fallback?: ReactNode;
  /** Around the sentence that stands in the part's place. */
  className?: string;
  /** One of the sentence's buttons was pressed and goes: where the focus goes on. */
  onDismiss?: () => void;
  onClose?: (() => void) | undefined;
}

/** Shows a part; one that does not arrive says so in its place, can be asked for again, and leaves the rest alone. */
export function LazyComponent<Props>({
  component,
  props,
  fallback = null,
  className,
  onDismiss,
  onClose,
}: LazyComponentProps<Props>) {
  const closeAndDismiss =
    onClose &&
    ((): void => {
      onDismiss?.();
      onClose();
    });
  return (
    <ErrorBoundary
      // Forgotten at once, so that it is fetched again also after the part was left and reopened.
      onError={() => component.reset()}
      renderError={(error, retry) => (
        <div className={className}>
          <ErrorMessage
            error={error}
            retry={() => {
              onDismiss?.();
              retry();
            }}
            fallbackMessage={`${component.name} did not load. Check the connection and try again.`}
            onClose={closeAndDismiss}
          />
        </div>
      )}
    >
      <Suspense fallback={fallback}>
        <LoadedContent component={component} props={props} />
      </Suspense>
    </ErrorBoundary>
  );
}

/** Reads the part's content again on each render. */
function LoadedContent<Props>({
  component: { Content },
  props,
}: {
  component: LazyComponentHandle<Props>;
  props: Props & object;
}) {
  return <Content {...props} />;
}

/** For what is here already: drawn at once. A promise costs a fallback, which React shows for 300 ms at least. */
const toResolvedThenable = <Value,>(value: Value) => ({
  // oxlint-disable-next-line unicorn/no-thenable
  then: (resolve: (value: Value) => void): void => resolve(value),
});

const RELOADED_AT_KEY = 'tally.reloaded-at';
/** A second failure within this time is told instead of loading on and on. */
const RELOAD_INTERVAL_MS = 30_000;

/**
 * For code that this page cannot get any more, as its file is gone after an update: loads the page anew, once. Throws
 * the error where asking again may help, and where the page was loaded anew just now.
 */
function reloadOnStaleChunk(error: unknown): Promise<never> {
  const canRetry = error instanceof ChunkLoadError && !error.isDeleted;
  if (canRetry || !navigator.onLine || !canReload()) throw error;
  reload();
  return new Promise(() => {});
}

function canReload(): boolean {
  const now = Date.now();
  if (now - Number(readStored(RELOADED_AT_KEY, 'sessionStorage')) < RELOAD_INTERVAL_MS) return false;
  writeStored(RELOADED_AT_KEY, String(now), 'sessionStorage');
  // Where nothing can be kept, nothing would end the loading.
  return readStored(RELOADED_AT_KEY, 'sessionStorage') === String(now);
}
