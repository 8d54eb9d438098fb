import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { lazyComponent, LazyComponent } from '../../../../ui/shell/loading/lazy-component.tsx';

const lazyImportDialog = lazyComponent('The import', () => import('./import-dialog.tsx'));

interface ImportHoldingsProps {
  /** Whether amounts are hidden. */
  privacy: boolean;
  /** Class of the button. */
  className: string;
  title?: string | undefined;
  /** Whether the page is read again while the dialog is open. Only if the button stays after the first holding. */
  refreshesAtOnce?: boolean;
  children?: ReactNode;
}

/** Button that opens the import of holdings from a file. */
export function ImportHoldings({
  privacy,
  className,
  title,
  refreshesAtOnce = false,
  children = 'Import',
}: ImportHoldingsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  const button = useRef<HTMLButtonElement>(null);
  // After an import the empty card disappears with its button, so the main content takes the focus.
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (document.activeElement === element) document.getElementById('main')?.focus();
    };
  }, []);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        title={title}
        className={className}
        {...lazyImportDialog.preloadProps}
        onClick={() => setIsOpen(true)}
      >
        {children}
      </button>
      {isOpen && (
        <LazyComponent
          component={lazyImportDialog}
          props={{ privacy, refreshesAtOnce, onClose: close }}
          onClose={close}
        />
      )}
    </>
  );
}
