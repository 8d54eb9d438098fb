import { Component, type FocusEvent, type KeyboardEvent, type ReactNode, type RefObject } from 'react';

interface FocusedElement {
  element: HTMLElement;
  /** Index of the row with the focus. */
  index: number;
}

const jumpByKey: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  PageDown: (index) => index + 10,
  PageUp: (index) => index - 10,
  Home: () => 0,
  End: (_, last) => last,
};

interface RovingFocusListProps {
  listRef: RefObject<HTMLElement | null>;
  /** Whether the rows belong to a table, as its group of rows. */
  isTable?: boolean;
  'aria-label'?: string;
  className?: string;
  children: ReactNode;
}

/**
 * List whose rows are added, removed and moved. A browser drops the focus when its row is removed or moved. This list
 * moves the focus to the row in that place, or keeps it. Tab stops at one row only, and the arrow keys move between the
 * rows.
 */
export class RovingFocusList extends Component<RovingFocusListProps> {
  override getSnapshotBeforeUpdate(): FocusedElement | null {
    const { activeElement: element } = document;
    const list = this.props.listRef.current;
    if (!list || !(element instanceof HTMLElement) || !list.contains(element)) return null;
    return { element, index: [...list.children].findIndex((row) => row.contains(element)) };
  }

  override componentDidMount(): void {
    this.updateRovingTabIndex();
  }

  override componentDidUpdate(_before: unknown, _state: unknown, focusedElement: FocusedElement | null): void {
    this.updateRovingTabIndex();
    if (!focusedElement || document.activeElement === focusedElement.element) return;
    if (focusedElement.element.isConnected) return focusedElement.element.focus({ preventScroll: true });
    const rows = this.props.listRef.current?.children ?? [];
    rows[Math.min(focusedElement.index, rows.length - 1)]?.querySelector<HTMLElement>('a')?.focus();
  }

  private listLinks(): HTMLElement[] {
    return [...(this.props.listRef.current?.querySelectorAll<HTMLElement>('a') ?? [])];
  }

  /** Sets one row's link as the tab stop without rendering the row. The links have no tab stop by default. */
  private updateRovingTabIndex(tabStop?: Element): void {
    const previousStop = this.props.listRef.current?.querySelector<HTMLElement>('a[tabindex="0"]');
    const nextStop = tabStop ?? previousStop ?? this.listLinks()[0];
    if (previousStop && previousStop !== nextStop) previousStop.tabIndex = -1;
    if (nextStop instanceof HTMLElement) nextStop.tabIndex = 0;
  }

  private readonly onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const jump = event.altKey || event.ctrlKey || event.metaKey ? undefined : jumpByKey[event.key];
    if (!jump) return;
    const listLinks = this.listLinks();
    const index = listLinks.indexOf(event.target as HTMLElement);
    if (index === -1) return;
    event.preventDefault();
    listLinks[Math.max(0, Math.min(listLinks.length - 1, jump(index, listLinks.length - 1)))]?.focus();
  };

  private readonly onFocus = (event: FocusEvent<HTMLElement>): void => {
    if (event.target.tagName === 'A') this.updateRovingTabIndex(event.target);
  };

  private readonly setList = (element: HTMLElement | null): void => {
    this.props.listRef.current = element;
  };

  override render(): ReactNode {
    const { listRef: _, isTable = false, ...props } = this.props;
    const events = { ref: this.setList, onKeyDown: this.onKeyDown, onFocus: this.onFocus };
    // The links of the rows are the controls. The keys only move the focus between them.
    return isTable ? <div role="rowgroup" {...events} {...props} /> : <ul {...events} {...props} />;
  }
}
