import { memo, useMemo } from 'react';
import { Button } from '../../../ui/kit/button.tsx';
import { Icon } from '../../../ui/kit/icon.tsx';
import { Spinner } from '../../../ui/kit/spinner.tsx';
import { RichText } from './rich-text.tsx';
import { getAllowedLinks, type AnswerEntry } from './thread.ts';
import { ToolDisclosure } from './tool-disclosure.tsx';
import { endMessages, formatUsage } from './messages.ts';

interface AnswerViewProps {
  answer: AnswerEntry;
  privacy: boolean;
  /** Retries the question. Absent if a later question follows. */
  onRetry?: (() => void) | undefined;
}

/** Shows an answer as received so far: text and look-ups in order, its end reason, and its usage. */
export const AnswerView = memo(function AnswerView({ answer, privacy, onRetry }: AnswerViewProps) {
  const { status, parts, reason, failure, isStopping, removedLinks } = answer;
  const links = useMemo(() => getAllowedLinks(answer), [answer]);
  const isInProgress = status !== 'done' && status !== 'failed';
  const endMessage = status === 'done' && reason ? endMessages[reason] : null;
  const usageText = formatUsage(answer);
  const canRetry = onRetry && (failure?.retry ?? (endMessage !== null && reason !== 'refused'));
  return (
    <div aria-busy={isInProgress} className="grid min-w-0 gap-3">
      {parts.map((part, index) =>
        part.type === 'text' ? (
          <div key={index} className="grid min-w-0 gap-3 break-words">
            <RichText text={part.text} links={links} privacy={privacy} />
          </div>
        ) : (
          <ToolDisclosure key={part.call.id} call={part.call} privacy={privacy} />
        ),
      )}
      {isInProgress && (
        <p className="flex items-center gap-2 text-small text-ink-faint">
          <Spinner />
          {getProgressLabel(status, isStopping)}
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
      {endMessage && <p className="text-small text-ink-soft">{endMessage}</p>}
      {removedLinks > 0 && (
        <p className="text-micro text-ink-faint">Some links were removed because they did not come from your data.</p>
      )}
      {canRetry && (
        <div>
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )}
      {!isInProgress && usageText && <p className="text-micro text-ink-faint">{usageText}</p>}
    </div>
  );
});

function getProgressLabel(status: AnswerEntry['status'], isStopping: boolean): string {
  if (isStopping) return 'Stopping';
  return status === 'polling' ? 'Still answering…' : 'Answering';
}
