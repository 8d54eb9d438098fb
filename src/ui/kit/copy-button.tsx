import { useState } from 'react';
import { showToast } from './toasts.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
  /** The text, or a function that writes it when the button is pressed. */
  text: string | (() => string);
  label: string;
}

/** Copies a text, shows the result on the button and announces it. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
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
