import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { PartMissing } from './import-part.ts';
import { reload } from '../navigation/location.ts';
import { Boundary } from '../../kit/boundary.tsx';
import { Failure } from '../../kit/failure.tsx';

/** A part of the app whose code travels when it is first needed. */
export interface Part<Props> {
  /** What it is called where it did not arrive. */
  name: string;
  Content: ComponentType<Props>;
  /** Forgets a try that failed: React would remember it for good. */
  again(): void;
  /** Fetches the code ahead of the need; a failure shows when the part is opened. Settles either way. */
  arrived(): Promise<void>;
  /** The same, without a promise. */
  preload(): void;
  /** What a control that opens it takes: the code is fetched when a pointer or the focus comes near. */
  preloadProps: { onPointerEnter: () => void; onFocus: () => void };
}

interface Loaded<Props> {
  default: ComponentType<Props>;
}

export function lazyPart<Props>(name: string, load: () => Promise<Loaded<Props>>): Part<Props> {
  let here: Loaded<Props> | undefined;
  const arrive = async (): Promise<Loaded<Props>> => (here = await load());
  const fresh = (): ComponentType<Props> =>
    lazy(
      () => (here ? atOnce(here) : arrive().catch(reloadIfStale)) as Promise<{ default: ComponentType<object> }>,
    ) as unknown as ComponentType<Props>;
  const preload = (): void => void part.arrived();
  const part: Part<Props> = {
    name,
    Content: fresh(),
    again() {
      part.Content = fresh();
    },
    async arrived() {
      await arrive().catch(() => undefined);
    },
    preload,
    preloadProps: { onPointerEnter: preload, onFocus: preload },
  };
  return part;
}

interface LazyPartProps<Props> {
  part: Part<Props>;
  props: Props & object;
  waiting?: ReactNode;
  /** Around the sentence that stands in the part's place. */
  className?: string;
  /** One of the sentence's buttons was pressed and goes: where the focus goes on. */
  onAnswer?: () => void;
  onClose?: (() => void) | undefined;
}

/** Shows a part; one that does not arrive says so in its place, can be asked for again, and leaves the rest alone. */
export function LazyPart<Props>({ part, props, waiting = null, className, onAnswer, onClose }: LazyPartProps<Props>) {
  const leave =
    onClose &&
    ((): void => {
      onAnswer?.();
      onClose();
    });
  return (
    <Boundary
      // Forgotten at once, so that it is fetched again also after the part was left and reopened.
      onCaught={() => part.again()}
      renderFailed={(error, retry) => (
        <div className={className}>
          <Failure
            error={error}
            retry={() => {
              onAnswer?.();
              retry();
            }}
            words={`${part.name} did not load. Check the connection and try again.`}
            onClose={leave}
          />
        </div>
      )}
    >
      <Suspense fallback={waiting}>
        <Shown part={part} props={props} />
      </Suspense>
    </Boundary>
  );
}

/** Reads the part's content again on each render. */
function Shown<Props>({ part: { Content }, props }: { part: Part<Props>; props: Props & object }) {
  return <Content {...props} />;
}

/** For what is here already: drawn at once. A promise costs a fallback, which React shows for 300 ms at least. */
// oxlint-disable-next-line unicorn/no-thenable
const atOnce = <Value,>(value: Value) => ({ then: (resolve: (value: Value) => void): void => resolve(value) });

const RELOADED_AT = 'tally.reloaded-at';
/** A second failure within this time is told instead of loading on and on. */
const AGAIN_AFTER_MS = 30_000;

/**
 * For code that this page cannot get any more, as its file is gone after an update: loads the page anew, once. Throws
 * the error where asking again may help, and where the page was loaded anew just now.
 */
function reloadIfStale(error: unknown): Promise<never> {
  const mayArrive = error instanceof PartMissing && !error.gone;
  if (mayArrive || !navigator.onLine || !mayReload()) throw error;
  reload();
  return new Promise(() => {});
}

function mayReload(): boolean {
  const now = Date.now();
  if (now - Number(readStored(RELOADED_AT, 'sessionStorage')) < AGAIN_AFTER_MS) return false;
  writeStored(RELOADED_AT, String(now), 'sessionStorage');
  // Where nothing can be kept, nothing would end the loading.
  return readStored(RELOADED_AT, 'sessionStorage') === String(now);
}
