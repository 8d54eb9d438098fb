import { type KeyboardEvent, type Ref, useId, useState } from 'react';
import { Button } from '../../../ui/kit/button.tsx';

interface ComposerProps {
  field: Ref<HTMLTextAreaElement>;
  /** An answer is under way: the button stops it, and nothing is sent meanwhile. */
  answering: boolean;
  stopping: boolean;
  /** What is used of the day. */
  hint: string;
  onSend: (text: string) => void;
  onStop: () => void;
}

const MOST = 2_000;

/** The field for a question. Enter sends, with Shift it breaks the line; what is typed while an answer comes stays. */
export function Composer({ field, answering, stopping, hint, onSend, onStop }: ComposerProps) {
  const id = useId();
  const [text, setText] = useState('');
  const left = MOST - text.trim().length;

  function send(): void {
    if (answering || text.trim() === '' || left < 0) return;
    onSend(text.trim());
    setText('');
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Enter that ends a composition chooses a character.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }

  return (
    <form
      className="grid gap-2 border-t border-line px-5 py-4"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label htmlFor={id} className="sr-only">
        Your question
      </label>
      <div className="flex items-end gap-2">
        <textarea
          ref={field}
          id={id}
          rows={2}
          value={text}
          placeholder="Ask about what you own and watch"
          aria-describedby={`${id}-hint`}
          aria-invalid={left < 0 || undefined}
          className="field block resize-none py-2"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {/* One button: what has the focus stays, whatever it says. */}
        <Button
          look={answering ? 'plain' : 'primary'}
          pending={stopping}
          aria-keyshortcuts={answering ? 'Escape' : undefined}
          onClick={answering ? onStop : send}
        >
          {answering ? 'Stop' : 'Ask'}
        </Button>
      </div>
      <p id={`${id}-hint`} className="text-micro text-ink-faint">
        {left < 0 ? `${-left} characters too many. ` : left < 200 ? `${left} characters left. ` : ''}
        {hint}
      </p>
    </form>
  );
}
