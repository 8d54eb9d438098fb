import { memo, useMemo } from 'react';
import { Button } from '../../../ui/kit/button.tsx';
import { Icon } from '../../../ui/kit/icon.tsx';
import { Spinner } from '../../../ui/kit/spinner.tsx';
import { RichText } from './rich-text.tsx';
import { allowedLinks, type Answer } from './thread.ts';
import { ToolDisclosure } from './tool-disclosure.tsx';
import { endWords, usageWords } from './words.ts';

interface AnswerViewProps {
  answer: Answer;
  privacy: boolean;
  /** Asks again; left out where another question stands below. */
  onAgain?: (() => void) | undefined;
}

/** An answer as far as it has come: text and look-ups in their order, how it ended, and what it took. */
export const AnswerView = memo(function AnswerView({ answer, privacy, onAgain }: AnswerViewProps) {
  const { status, parts, reason, failure, stopping, removedLinks } = answer;
  const links = useMemo(() => allowedLinks(answer), [answer]);
  const comes = status !== 'done' && status !== 'failed';
  const end = status === 'done' && reason ? endWords[reason] : null;
  const usage = usageWords(answer);
  const canAgain = onAgain && (failure?.retry ?? (end !== null && reason !== 'refused'));
  return (
    <div aria-busy={comes} className="grid min-w-0 gap-3">
      {parts.map((part, index) =>
        part.type === 'text' ? (
          <div key={index} className="grid min-w-0 gap-3 break-words">
            <RichText text={part.text} links={links} privacy={privacy} />
          </div>
        ) : (
          <ToolDisclosure key={part.call.id} call={part.call} privacy={privacy} />
        ),
      )}
      {comes && (
        <p className="flex items-center gap-2 text-small text-ink-faint">
          <Spinner />
          {stopping ? 'Stopping' : status === 'polling' ? 'Going on; it is read again as it comes' : 'Answering'}
        </p>
      )}
      {failure && (
        <p className="flex gap-2 rounded-control bg-sunken px-3 py-2 text-small">
          <span className="pt-0.5 text-loss">
            <Icon name="warn" size={14} />
          </span>
          <span className="min-w-0 flex-1">{failure.message}</span>
        </p>
      )}
      {end && <p className="text-small text-ink-soft">{end}</p>}
      {removedLinks > 0 && (
        <p className="text-micro text-ink-faint">Links that no look-up had returned were taken out.</p>
      )}
      {canAgain && (
        <div>
          <Button onClick={onAgain}>Try again</Button>
        </div>
      )}
      {!comes && usage && <p className="text-micro text-ink-faint">{usage}</p>}
    </div>
  );
});
