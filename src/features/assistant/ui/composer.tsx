import { type KeyboardEvent, type Ref, useId } from 'react';
import { useStore } from '../../../ui/kit/use-store.ts';
import { isComposing } from '../../../ui/kit/is-composing.ts';
import { questionDraft } from './chat.ts';
import { Button } from '../../../ui/kit/button.tsx';

interface ComposerProps {
  inputRef: Ref<HTMLTextAreaElement>;
  /** Whether an answer is pending. The button then stops it, and questions cannot be sent. */
  isAnswering: boolean;
  isStopping: boolean;
  /** Usage of the day. */
  hint: string;
  className: string;
  onSend: (text: string) => void;
  onStop: () => void;
}

const MAX_QUESTION_LENGTH = 2_000;

/** The input for a question. Enter sends and Shift+Enter breaks the line. Text typed during an answer is kept. */
export function Composer({ inputRef, isAnswering, isStopping, hint, className, onSend, onStop }: ComposerProps) {
  const id = useId();
  const text = useStore(questionDraft);
  const remaining = MAX_QUESTION_LENGTH - text.trim().length;

  function send(): void {
    if (isAnswering || text.trim() === '' || remaining < 0) return;
    onSend(text.trim());
    questionDraft.set('');
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    send();
  }

  return (
    <form
      className={`grid gap-2 border-t border-line py-4 ${className}`}
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
          ref={inputRef}
          id={id}
          rows={2}
          value={text}
          placeholder="Ask about what you own and watch"
          aria-describedby={`${id}-hint`}
          aria-invalid={remaining < 0 || undefined}
          className="field block resize-none py-2"
          onChange={(event) => questionDraft.set(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {/* One button with two labels, so that it keeps the focus. */}
        <Button
          variant={isAnswering ? 'plain' : 'primary'}
          pending={isStopping}
          aria-keyshortcuts={isAnswering ? 'Escape' : undefined}
          onClick={isAnswering ? onStop : send}
        >
          {isAnswering ? 'Stop' : 'Ask'}
        </Button>
      </div>
      <p id={`${id}-hint`} className="text-micro text-ink-faint">
        {formatRemaining(remaining)}
        {hint}
      </p>
    </form>
  );
}

function formatRemaining(remaining: number): string {
  if (remaining < 0) return `${-remaining} characters too many. `;
  return remaining < 200 ? `${remaining} characters left. ` : '';
}
