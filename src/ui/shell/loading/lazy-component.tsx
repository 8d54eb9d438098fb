import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { ChunkLoadError } from './import-with-retry.ts';
import { reload } from '../navigation/location.ts';
import { ErrorBoundary } from '../../kit/error-boundary.tsx';
import { ErrorMessage } from '../../kit/error-message.tsx';

/** Component whose code loads on first use. */
export interface LazyComponentHandle<Props> {
  /** Name in the error message. */
  name: string;
  Content: ComponentType<Props>;
  /** Clears a failed attempt, which React would otherwise cache forever. */
  reset(): void;
  /**
   * Loads the code in advance. The promise resolves even if loading fails. The failure shows when the component
   * renders.
   */
  load(): Promise<void>;
  /** Starts `load` without a promise. */
  preload(): void;
  /** Props for a control that opens the component. The code loads when a pointer or the focus reaches the control. */
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
  const loadModule = async (): Promise<LoadedModule<Props>> => {
    loadedModule = await importModule();
    return loadedModule;
  };
  const createContent = (): ComponentType<Props> =>
    lazy(
      () =>
        (loadedModule ? toResolvedThenable(loadedModule) : loadModule().catch(reloadOnStaleChunk)) as Promise<{
          default: ComponentType<object>;
        }>,
    ) as unknown as ComponentType<Props>;
  const preload = (): void => {
    void component.load();
  };
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
  /** Class of the error message in place of the component. */
  className?: string;
  /** Called when a button of the error message was pressed and the message disappears. Moves the focus. */
  onDismiss?: () => void;
  onClose?: (() => void) | undefined;
}

/** Shows a lazy component. If it fails to load, shows an error message with a retry in its place. */
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
      // Cleared at once, so that a reopened component is loaded again.
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

/** Reads the component's content on each render. */
function LoadedContent<Props>({
  component: { Content },
  props,
}: {
  component: LazyComponentHandle<Props>;
  props: Props & object;
}) {
  return <Content {...props} />;
}

/**
 * Returns a synchronous thenable for a component that is already loaded. With a real promise, React shows the fallback
 * for at least 300 ms.
 */
const toResolvedThenable = <Value,>(value: Value) => ({
  // oxlint-disable-next-line unicorn/no-thenable
  then: (resolve: (value: Value) => void): void => resolve(value),
});

const RELOADED_AT_KEY = 'tally.reloaded-at';
/** Time in ms in which a second failure shows an error instead of another reload. */
const RELOAD_INTERVAL_MS = 30_000;

/**
 * Reloads the page once if its code is gone after an update. Throws the error if a retry may help, and if the page was
 * reloaded just before.
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
  // Without sessionStorage the page could reload forever, so it does not reload.
  return readStored(RELOADED_AT_KEY, 'sessionStorage') === String(now);
}
