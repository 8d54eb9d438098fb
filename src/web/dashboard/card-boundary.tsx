import type { ReactNode } from 'react';
import { Component } from 'react';
import { reload } from '../lib/location.ts';
import { Failure } from '../ui/failure.tsx';

/** Catches what one card throws, a chunk that did not arrive included, and says so in the card's place. */
export class CardBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error: error ?? new Error('nothing was thrown') };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    // The browser remembers a chunk that failed: only a fresh page asks for it again.
    return (
      <div className="card min-h-106 p-4">
        <Failure error={this.state.error} retry={reload} />
      </div>
    );
  }
}
