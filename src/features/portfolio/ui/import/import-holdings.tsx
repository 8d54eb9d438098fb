import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { lazyComponent, LazyComponent } from '../../../../ui/shell/loading/lazy-component.tsx';

const lazyImportDialog = lazyComponent('The import', () => import('./import-dialog.tsx'));

interface ImportHoldingsProps {
  /** Whether amounts are hidden. */
  privacy: boolean;
  /** Class of the button. */
  className: string;
  title?: string | undefined;
  children?: ReactNode;
}

/** Button that opens the import of holdings from a file. */
export function ImportHoldings({ privacy, className, title, children = 'Import' }: ImportHoldingsProps) {
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
      {isOpen && <LazyComponent component={lazyImportDialog} props={{ privacy, onClose: close }} onClose={close} />}
    </>
  );
}
