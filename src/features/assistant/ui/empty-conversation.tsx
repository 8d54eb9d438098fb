import type { ReportKind } from '../contract.ts';
import type { AssistantStatus } from './queries.ts';
import { ReportChoice } from './report-choice.tsx';
import { hasUsedUpQuota, formatLimitReached, suggestions, unavailableTexts } from './messages.ts';

interface EmptyConversationProps {
  status: AssistantStatus;
  isEmpty: boolean;
  isQuotaUsedUp: boolean;
  symbol: string | null;
  onAsk: (text: string) => void;
  onReport: (kind: ReportKind, symbol: string | null) => void;
}

/** Shows suggestions: questions for a model, or the plain reports and why no question can be typed. */
export function EmptyConversation({ status, isEmpty, isQuotaUsedUp, symbol, onAsk, onReport }: EmptyConversationProps) {
  if (status.available && !isQuotaUsedUp) {
    if (!isEmpty) return null;
    return (
      <section aria-label="Example questions" className="grid gap-2">
        <p className="text-ink-soft">
          Ask about what you own and watch, reports and news. It can read your data but never change it, and it does not
          give investment advice.
        </p>
        {suggestions.map((question) => (
          <button
            key={question}
            type="button"
            className="rounded-control border border-line px-3 py-2 text-start hover:bg-sunken"
            onClick={() => onAsk(question)}
          >
            {question}
          </button>
        ))}
      </section>
    );
  }
  return (
    <>
      {hasUsedUpQuota(status) && status.available && (
        <p className="rounded-control bg-warn-soft px-4 py-3 text-small text-warn">{formatLimitReached(status)}</p>
      )}
      {isEmpty && !status.available && (
        <div className="grid gap-2">
          <p>Reports without a model: fixed rules answer these questions from your data and the market.</p>
          {status.unavailable_because && (
            <p className="text-small text-ink-soft">{unavailableTexts[status.unavailable_because]}</p>
          )}
        </div>
      )}
      <ReportChoice reports={status.reports} symbol={symbol} onChoose={onReport} />
    </>
  );
}
