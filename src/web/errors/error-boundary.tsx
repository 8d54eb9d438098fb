import type { ReactNode } from 'react';
import { Component } from 'react';
import { ErrorPage } from './error-page.tsx';

/** Catches what a page throws and shows it in the page's place; the frame around it keeps working. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error: error ?? new Error('nothing was thrown') };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return <ErrorPage error={this.state.error} retry={() => this.setState({ error: null })} />;
  }
}
