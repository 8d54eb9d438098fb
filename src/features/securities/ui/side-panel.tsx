import type { ReactNode } from 'react';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { IconButton } from '../../../ui/kit/icon-button.tsx';
import { closeSecurity } from '../../../ui/shell/navigation/security-url.ts';

/** Shows the panel at the side of the page. */
export function SidePanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Dialog
      title={title}
      onClose={closeSecurity}
      hasUrl
      className={
        'me-0 h-dvh max-h-none max-w-none w-[min(27rem,100vw)] rounded-none border-y-0 ' +
        'border-e-0 p-5 pb-0 sm:rounded-s-card [&>h2]:pe-12 flex-col open:flex ' +
        // Toasts are placed above the actions at the lower edge.
        '[--toasts-bottom:5rem]'
      }
    >
      <IconButton icon="close" label="Close" className="absolute end-3 top-4" onClick={() => closeSecurity()} />
      {children}
    </Dialog>
  );
}
