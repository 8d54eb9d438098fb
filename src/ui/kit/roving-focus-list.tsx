import {
  Component,
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';

interface Held {
  element: HTMLElement;
  /** Of the row that it is in. */
  index: number;
}

const jumps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at) => at + 10,
  PageUp: (at) => at - 10,
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * A list whose rows come, go and move. A browser loses the focus with a row that is removed, and where a row is moved;
 * here it goes to the row that took the place, or stays. However long it is, Tab stops at one row, and the arrows go on
 * from there.
 */
export class RovingFocusList extends Component<ComponentProps<'ul'> & { listRef: RefObject<HTMLUListElement | null> }> {
  override getSnapshotBeforeUpdate(): Held | null {
    const { activeElement: element } = document;
    const list = this.props.listRef.current;
    if (!list || !(element instanceof HTMLElement) || !list.contains(element)) return null;
    return { element, index: [...list.children].findIndex((row) => row.contains(element)) };
  }

  override componentDidMount(): void {
    this.updateRovingTabIndex();
  }

  override componentDidUpdate(_before: unknown, _state: unknown, held: Held | null): void {
    this.updateRovingTabIndex();
    if (!held || document.activeElement === held.element) return;
    if (held.element.isConnected) return held.element.focus({ preventScroll: true });
    const rows = this.props.listRef.current?.children ?? [];
    rows[Math.min(held.index, rows.length - 1)]?.querySelector<HTMLElement>('a')?.focus();
  }

  private links(): HTMLElement[] {
    return [...(this.props.listRef.current?.querySelectorAll<HTMLElement>('a') ?? [])];
  }

  /** The rows' own links are no stops: one is made so here, without drawing a row anew. */
  private updateRovingTabIndex(stop?: Element): void {
    const before = this.props.listRef.current?.querySelector<HTMLElement>('a[tabindex="0"]');
    const next = stop ?? before ?? this.links()[0];
    if (before && before !== next) before.tabIndex = -1;
    if (next instanceof HTMLElement) next.tabIndex = 0;
  }

  private readonly onKeyDown = (event: KeyboardEvent<HTMLUListElement>): void => {
    const jump = event.altKey || event.ctrlKey || event.metaKey ? undefined : jumps[event.key];
    if (!jump) return;
    const links = this.links();
    const at = links.indexOf(event.target as HTMLElement);
    if (at === -1) return;
    event.preventDefault();
    links[Math.max(0, Math.min(links.length - 1, jump(at, links.length - 1)))]?.focus();
  };

  private readonly onFocus = (event: FocusEvent<HTMLUListElement>): void => {
    if (event.target.tagName === 'A') this.updateRovingTabIndex(event.target);
  };

  override render(): ReactNode {
    const { listRef, ...props } = this.props;
    // The rows' links are the controls; the keys only move the focus among them.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    return <ul ref={listRef} onKeyDown={this.onKeyDown} onFocus={this.onFocus} {...props} />;
  }
}
