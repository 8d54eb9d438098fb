import { type ComponentType, lazy } from 'react';
import { reloadIfStale } from './reload-if-stale.ts';

/** A part of the app whose code travels when it is first needed. */
export interface Part<Props> {
  /** What it is called where it did not arrive. */
  name: string;
  Content: ComponentType<Props>;
  /** Forgets a try that failed: React would remember it for good. */
  again(): void;
  /** Fetches the code ahead of the need; a failure shows when the part is opened. Settles either way. */
  arrived(): Promise<void>;
  /** The same, without a promise, for a pointer or the focus that comes near. */
  preload(): void;
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
  const part: Part<Props> = {
    name,
    Content: fresh(),
    again() {
      part.Content = fresh();
    },
    arrived: () =>
      arrive().then(
        () => undefined,
        () => undefined,
      ),
    preload: () => void part.arrived(),
  };
  return part;
}

/** For what is here already: React draws it without a wait. A promise costs a fallback, which React then shows for
 * 300 ms at least. */
// oxlint-disable-next-line unicorn/no-thenable
const atOnce = <Value>(value: Value) => ({ then: (resolve: (value: Value) => void): void => resolve(value) });
