import { Component, type ComponentProps, type ReactNode, type RefObject } from 'react';

interface Held {
  element: HTMLElement;
  /** Of the row that it is in. */
  index: number;
}

/**
 * A list whose rows come, go and move. A browser loses the focus with a row that is removed, and where a row is moved;
 * here it goes to the row that took the place, or stays.
 */
export class FocusKeepingList extends Component<
  ComponentProps<'ul'> & { listRef: RefObject<HTMLUListElement | null> }
> {
  override getSnapshotBeforeUpdate(): Held | null {
    const { activeElement: element } = document;
    const list = this.props.listRef.current;
    if (!list || !(element instanceof HTMLElement) || !list.contains(element)) return null;
    return { element, index: [...list.children].findIndex((row) => row.contains(element)) };
  }

  override componentDidUpdate(_before: unknown, _state: unknown, held: Held | null): void {
    if (!held || document.activeElement === held.element) return;
    if (held.element.isConnected) return held.element.focus({ preventScroll: true });
    const rows = this.props.listRef.current?.children ?? [];
    rows[Math.min(held.index, rows.length - 1)]?.querySelector<HTMLElement>('a')?.focus();
  }

  override render(): ReactNode {
    const { listRef, ...props } = this.props;
    return <ul ref={listRef} {...props} />;
  }
}
