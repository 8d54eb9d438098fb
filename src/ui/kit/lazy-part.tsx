import { type ReactNode, Suspense } from 'react';
import type { Part } from '../lib/lazy-part.ts';
import { Boundary } from './boundary.tsx';
import { Failure } from './failure.tsx';

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
