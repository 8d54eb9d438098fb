import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';

interface OneTimeSecretProps {
  /** Noun of the secret, such as "key". */
  secretNoun: string;
  /** Name that the member chose. */
  name: string;
  secret: string;
  onDone: () => void;
}

/** Shows a new secret for copying. Only its hash is stored, so the secret cannot be shown again. Takes the focus. */
export function OneTimeSecret({ secretNoun, name, secret, onDone }: OneTimeSecretProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label={`Your new ${secretNoun}`}
      className="rounded-control border-s-4 border-accent bg-accent-soft px-4 py-3"
    >
      <p className="font-semibold">{`Copy the ${secretNoun} “${name}” now`}</p>
      <p className="text-small text-ink-soft">It will not be shown again. We store only a hash.</p>
      <div className="mt-2 flex items-center gap-1 rounded-control border border-line bg-raised py-1 ps-3 pe-1">
        <code className="min-w-0 flex-1 break-all font-mono text-small select-all">{secret}</code>
        <CopyButton text={secret} label={`Copy the ${secretNoun}`} />
      </div>
      <Button className="mt-3" onClick={onDone}>
        I have copied it
      </Button>
    </section>
  );
}
