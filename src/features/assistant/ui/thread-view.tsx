import { AnswerView } from './answer-view.tsx';
import { ReportView } from './report-view.tsx';
import { MaskedText } from './masked-text.tsx';
import type { Entry, ReportEntry, Thread } from './thread.ts';

interface ThreadViewProps {
  thread: Thread;
  privacy: boolean;
  onRetry: (answerId: string) => void;
  onReportRetry: (entry: ReportEntry) => void;
}

/** Shows the questions, answers and reports in order. */
export function ThreadView({ thread: { entries }, privacy, onRetry, onReportRetry }: ThreadViewProps) {
  if (entries.length === 0) return null;
  return (
    <ol aria-label="Questions and answers" className="grid min-w-0 gap-5">
      {entries.map((entry, index) => (
        <li key={entry.id} className="grid min-w-0 gap-3">
          {renderEntry(entry, index === entries.length - 1)}
        </li>
      ))}
    </ol>
  );

  function renderEntry(entry: Entry, isLast: boolean) {
    switch (entry.role) {
      case 'member':
        return <QuestionBubble text={entry.text} privacy={privacy} />;
      case 'assistant':
        return <AnswerView answer={entry} privacy={privacy} onRetry={isLast ? () => onRetry(entry.id) : undefined} />;
      case 'report':
        return (
          <>
            <QuestionBubble text={entry.title} privacy={privacy} />
            <ReportView entry={entry} privacy={privacy} onRetry={() => onReportRetry(entry)} />
          </>
        );
    }
  }
}

const QuestionBubble = ({ text, privacy }: { text: string; privacy: boolean }) => (
  <p
    data-question
    className={
      'scroll-mt-4 ms-auto w-fit max-w-[85%] rounded-card border border-line bg-accent-soft px-3 py-2 break-words ' +
      'whitespace-pre-wrap'
    }
  >
    <span className="sr-only">You asked: </span>
    <MaskedText text={text} privacy={privacy} />
  </p>
);
