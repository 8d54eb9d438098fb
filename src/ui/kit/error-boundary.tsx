import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** What stands in the place of what has failed. */
  renderError: (error: unknown, retry: () => void) => ReactNode;
  /** Before another try is offered. */
  onError?: (() => void) | undefined;
}

/** Catches what is thrown while something is drawn, code that did not arrive included; what is around it goes on. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error: error ?? new Error('nothing was thrown') };
  }

  override componentDidCatch(): void {
    this.props.onError?.();
  }

  readonly #retry = (): void => this.setState({ error: null });

  override render(): ReactNode {
    const { error } = this.state;
    return error === null ? this.props.children : this.props.renderError(error, this.#retry);
  }
}
