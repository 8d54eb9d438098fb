import type { ComponentType, ReactNode } from 'react';
import { Component, lazy, Suspense } from 'react';
import { Failure } from '../../web/ui/failure.tsx';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A part whose code travels when it is first needed. */
export interface Part<Props> {
  /** What it is called where it did not arrive. */
  name: string;
  Content: ComponentType<Props>;
  /** Forgets a try that failed: React would remember it for good. */
  again(): void;
}

export function lazyPart<Props>(name: string, load: Load<Props>): Part<Props> {
  const part: Part<Props> = {
    name,
    Content: lazy(load) as unknown as ComponentType<Props>,
    again() {
      part.Content = lazy(load) as unknown as ComponentType<Props>;
    },
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

/** Shows a part; one that does not arrive says so in its own place, can be asked for again, and leaves what is around it alone. */
export class LazyPart<Props> extends Component<LazyPartProps<Props>, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error: error ?? new Error('nothing was thrown') };
  }

  /** At once, so that it is asked for anew also where it is left and opened again. */
  override componentDidCatch(): void {
    this.props.part.again();
  }

  readonly #retry = (): void => {
    this.props.onAnswer?.();
    this.setState({ error: null });
  };

  override render(): ReactNode {
    const { part, props, waiting = null, className, onAnswer, onClose } = this.props;
    const { error } = this.state;
    if (error !== null) {
      const leave = onClose && ((): void => {
        onAnswer?.();
        onClose();
      });
      return (
        <div className={className}>
          <Failure error={error} retry={this.#retry} words={`${part.name} did not load. Check the connection and try again.`} onClose={leave} />
        </div>
      );
    }
    const { Content } = part;
    return (
      <Suspense fallback={waiting}>
        <Content {...props} />
      </Suspense>
    );
  }
}
