import { useEffect, useState } from 'react';
import { Icon } from '../../kit/icon.tsx';
import { openDialogs } from '../../kit/open-dialogs.ts';
import { useStore } from '../../kit/use-store.ts';
import { lazyErrorProps } from '../loading/lazy-error-props.ts';
import { lazyComponent, LazyComponent } from '../loading/lazy-component.tsx';
import { MODIFIER_KEY } from './modifier-key.ts';
import { isShortcutListOpen } from './shortcut-list.ts';

const lazySearch = lazyComponent('The search', () => import('../routes/search.tsx'));
const lazyShortcuts = lazyComponent('The list of shortcuts', () => import('../routes/shortcuts.tsx'));
const closeShortcuts = (): void => isShortcutListOpen.set(false);

/** Button that opens the search over securities, pages and actions. ⌘K, Ctrl+K and `/` open it from every page, and `?` the shortcuts. */
export function SearchLauncher() {
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  const showsShortcuts = useStore(isShortcutListOpen);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const opensShortcuts = isShortcutsKey(event);
      if ((!isSearchKey(event) && !opensShortcuts) || openDialogs.get().length > 0) return;
      event.preventDefault();
      if (opensShortcuts) isShortcutListOpen.set(true);
      else setIsOpen(true);
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
          {`${MODIFIER_KEY} K`}
        </kbd>
      </button>
      {isOpen && (
        <LazyComponent component={lazySearch} props={{ onClose: close }} {...lazyErrorProps} onClose={close} />
      )}
      {showsShortcuts && (
        <LazyComponent
          component={lazyShortcuts}
          props={{ onClose: closeShortcuts }}
          {...lazyErrorProps}
          onClose={closeShortcuts}
        />
      )}
    </>
  );
}

function isSearchKey({ key, metaKey, ctrlKey, altKey, shiftKey, defaultPrevented, target }: KeyboardEvent): boolean {
  if (defaultPrevented || altKey) return false;
  if (metaKey || ctrlKey) return key.toLowerCase() === 'k' && !shiftKey;
  return key === '/' && !isTyping(target);
}

const isShortcutsKey = ({ key, metaKey, ctrlKey, altKey, defaultPrevented, target }: KeyboardEvent): boolean =>
  key === '?' && !(defaultPrevented || altKey || metaKey || ctrlKey) && !isTyping(target);

/** Returns whether the focus is in a text field, to which `/` and `?` belong. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=radio], [type=checkbox]), textarea, select'));
