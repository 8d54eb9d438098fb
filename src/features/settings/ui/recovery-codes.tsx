import { useEffect, useRef } from 'react';
import { Button } from '../../../ui/kit/button.tsx';
import { CopyButton } from '../../../ui/kit/copy-button.tsx';
import { downloadText } from './download-text.ts';

/** Shows new recovery codes once, to copy or download them. Takes the focus. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  const text = `${codes.join('\n')}\n`;
  return (
    <section ref={box} tabIndex={-1} aria-label="Your recovery codes" className="mt-2 grid gap-4">
      <p className="text-ink-soft">
        Keep these codes in a safe place. If you lose your phone, each of them signs you in once, with your password.
        They are not shown again.
      </p>
      <ul className="grid justify-center gap-y-1 rounded-control border border-line bg-raised px-3 py-3">
        {codes.map((code) => (
          <li key={code} className="font-mono text-small tracking-tight whitespace-nowrap select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-end gap-3">
        <CopyButton text={text} label="Copy the recovery codes" />
        <Button onClick={() => downloadText('tally-recovery-codes.txt', text)}>Download</Button>
        <Button variant="primary" onClick={onDone}>
          I have saved them
        </Button>
      </div>
    </section>
  );
}
