import { useEffect, useState } from 'react';
import { Icon } from '../../kit/icon.tsx';
import { openDialogs } from '../../kit/open-dialogs.ts';
import { lazyErrorProps } from '../dashboard/lazy-error-props.ts';
import { lazyComponent, LazyComponent } from '../loading/lazy-component.tsx';

const lazySearch = lazyComponent('The search', () => import('../routes/search.tsx'));

/** Button that opens the search over securities, pages and actions. ⌘K, Ctrl+K and `/` open it from every page. */
export function SearchLauncher() {
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isSearchKey(event) || openDialogs.get().length > 0) return;
      event.preventDefault();
      setIsOpen(true);
    };
    // On the window, so that a part of the page can use the key first.
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K /"
        {...lazySearch.preloadProps}
        onClick={() => setIsOpen(true)}
        className={
          'flex h-9 min-w-9 items-center justify-center gap-2 rounded-control text-ink-soft hover:text-ink ' +
          'max-lg:hover:bg-sunken lg:w-52 lg:justify-start lg:border lg:border-line-strong lg:bg-surface lg:px-3'
        }
      >
        <Icon name="search" />
        <span className="flex-1 text-start text-small text-ink-faint max-lg:sr-only">Search</span>
        <kbd aria-hidden="true" className="hidden font-sans text-micro text-ink-faint lg:block">
          {isApple ? '⌘K' : 'Ctrl K'}
        </kbd>
      </button>
      {isOpen && (
        <LazyComponent component={lazySearch} props={{ onClose: close }} {...lazyErrorProps} onClose={close} />
      )}
    </>
  );
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

function isSearchKey({ key, metaKey, ctrlKey, altKey, shiftKey, defaultPrevented, target }: KeyboardEvent): boolean {
  if (defaultPrevented || altKey) return false;
  if (metaKey || ctrlKey) return key.toLowerCase() === 'k' && !shiftKey;
  return key === '/' && !isTyping(target);
}

/** Returns whether the focus is in a text field, to which `/` belongs. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=radio], [type=checkbox]), textarea, select'));
