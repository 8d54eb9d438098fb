import type { ReportKind } from '../contract.ts';
import type { AssistantStatus } from './queries.ts';
import { ReportChoice } from './report-choice.tsx';
import { isUsedUp, limitWords, suggestions } from './words.ts';

interface BeginningProps {
  status: AssistantStatus;
  empty: boolean;
  usedUp: boolean;
  symbol: string | null;
  onAsk: (text: string) => void;
  onReport: (kind: ReportKind, symbol: string | null) => void;
}

/** What can be asked: questions for a model, or the plain reports with what a model would add. */
export function Beginning({ status, empty, usedUp, symbol, onAsk, onReport }: BeginningProps) {
  if (status.available && !usedUp) {
    if (!empty) return null;
    return (
      <section aria-label="Questions to begin with" className="grid gap-2">
        <p className="text-ink-soft">
          Ask about what you own and watch, reports and news. It reads your data and changes nothing; it gives no advice
          to buy or sell.
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
      {isUsedUp(status) && status.available && (
        <p className="rounded-control bg-warn-soft px-4 py-3 text-small text-warn">{limitWords(status)}</p>
      )}
      {empty && !status.available && (
        <p className="text-ink-soft">Reports made by rules, from your own data and the market’s.</p>
      )}
      <ReportChoice reports={status.reports} symbol={symbol} onChoose={onReport} />
      {status.with_model && <p className="border-t border-line pt-4 text-small text-ink-soft">{status.with_model}</p>}
    </>
  );
}
