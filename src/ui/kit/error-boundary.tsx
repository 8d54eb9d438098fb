import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Renders the replacement of the failed content. */
  renderError: (error: unknown, retry: () => void) => ReactNode;
  /** Called before a retry is offered. */
  onError?: (() => void) | undefined;
}

/** Catches errors of rendering, including code that failed to load. The content outside the boundary is unaffected. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error: error ?? new Error('rendering failed without an error value') };
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
