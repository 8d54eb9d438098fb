import { useState } from 'react';
import { showToast } from './toasts.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** Copies a text, shows the result on the button and announces it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
      showToast('Copied.');
    } catch {
      showToast('Your browser did not allow copying. Select the text and copy it manually.', 'bad');
    }
  }
  return (
    <Button
      variant="quiet"
      aria-label={label}
      className="min-h-8 px-2"
      onClick={() => {
        void copy();
      }}
    >
      <Icon name={copied ? 'check' : 'copy'} />
    </Button>
  );
}
