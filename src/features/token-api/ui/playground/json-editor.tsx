import { type ClipboardEvent, memo, useId, useRef } from 'react';
import { Button } from '../../../../ui/kit/button.tsx';
import { Icon } from '../../../../ui/kit/icon.tsx';
import type { TextProblem } from './request-text.ts';

interface JsonEditorProps {
  text: string;
  problem: TextProblem | null;
  onChange: (text: string) => void;
  /** Returns a pasted text as it is inserted. */
  preparePaste: (pasted: string) => string;
}

/** Editor of a request as JSON: a text area with line numbers and the place of the first problem. */
export function JsonEditor({ text, problem, onChange, preparePaste }: JsonEditorProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  const lineCount = text.split('\n').length;

  /** Inserts long pasted texts in their short form, because browsers are slow with megabytes in a text area. */
  function paste(event: ClipboardEvent<HTMLTextAreaElement>): void {
    const pasted = event.clipboardData.getData('text/plain');
    const prepared = preparePaste(pasted);
    if (prepared === pasted) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    onChange(text.slice(0, selectionStart) + prepared + text.slice(selectionEnd));
  }

  return (
    <div className="grid gap-2 pt-2">
      <label htmlFor={id} className="text-small font-medium">
        Request as JSON
      </label>
      <div className="field flex overflow-hidden p-0 focus-within:outline-2 focus-within:outline-offset-[-1px] focus-within:outline-accent has-aria-invalid:border-loss">
        {/* The hidden number gives the width. The numbers have no height of their own, so that the text scrolls. */}
        <div
          aria-hidden="true"
          className="relative shrink-0 border-e border-line bg-sunken px-2 font-mono text-ink-faint select-none"
        >
          <span className="invisible">{lineCount}</span>
          <div ref={gutter} className="absolute inset-0 overflow-hidden px-2 py-2 text-end">
            <LineNumbers count={lineCount} marked={problem?.line ?? null} />
          </div>
        </div>
        <textarea
          ref={area}
          id={id}
          value={text}
          rows={18}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          className="block min-w-0 flex-1 resize-y bg-raised px-3 py-2 font-mono outline-none"
          onChange={(event) => onChange(event.target.value)}
          onPaste={paste}
          onScroll={(event) => {
            if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
          }}
        />
      </div>
      {problem && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <p id={`${id}-problem`} className="flex min-w-0 flex-1 basis-60 gap-1.5 text-small text-loss">
            <span className="pt-0.5">
              <Icon name="warn" size={14} />
            </span>
            <span className="min-w-0 wrap-anywhere">
              Line {problem.line}: {problem.message}
            </span>
          </p>
          <Button
            onClick={() => {
              if (area.current) selectLine(area.current, problem);
            }}
          >
            Go to line {problem.line}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Shows the numbers of all lines and marks the line of the problem. */
const LineNumbers = memo(function LineNumbers({ count, marked }: { count: number; marked: number | null }) {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  if (marked === null) return <div className="whitespace-pre">{numbers.join('\n')}</div>;
  return (
    <div className="whitespace-pre">
      {numbers
        .slice(0, marked - 1)
        .map((number) => `${number}\n`)
        .join('')}
      <span className="bg-loss-soft font-semibold text-loss">{marked}</span>
      {numbers
        .slice(marked)
        .map((number) => `\n${number}`)
        .join('')}
    </div>
  );
});

/** Focuses the editor with the cursor at a place and scrolls the place into view. */
function selectLine(area: HTMLTextAreaElement, { line, column }: TextProblem): void {
  const lineStart = area.value
    .split('\n')
    .slice(0, line - 1)
    .reduce((length, each) => length + each.length + 1, 0);
  const place = lineStart + column - 1;
  area.focus();
  area.setSelectionRange(place, place);
  const lineHeight = Number.parseFloat(getComputedStyle(area).lineHeight);
  area.scrollTop = Math.max(0, (line - 4) * lineHeight);
}
