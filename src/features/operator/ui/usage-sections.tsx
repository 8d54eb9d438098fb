import { formatInteger } from '../../../ui/kit/formats.ts';
import { operatorApi } from './operator-api.ts';
import { OperatorTable, Section, WholeText } from './section.tsx';
import { useLoad } from './use-load.ts';

const PROVIDER_NAMES: Readonly<Record<string, string>> = { fmp: 'FMP', finnhub: 'Finnhub', simulator: 'Sample data' };

const formatUse = (used: number, limit: number | null): string =>
  limit === null ? `${formatInteger(used)}, no limit` : `${formatInteger(used)} of ${formatInteger(limit)}`;

/** Shows the calls of market-data providers and what their plans allow. */
export function MarketDataSection() {
  const loaded = useLoad(operatorApi.getCallBudgets);
  return (
    <Section title="Market data" loaded={loaded}>
      {({ budgets }) => (
        <OperatorTable
          caption="Calls of market-data providers"
          columns={['Provider', ['Today'], ['For prices'], ['This minute']]}
          emptyText="Sample data, which needs no calls. A key of a provider changes that."
          rows={budgets.map((budget) => ({
            key: budget.provider,
            cells: [
              <WholeText key="provider">{PROVIDER_NAMES[budget.provider] ?? budget.provider}</WholeText>,
              formatUse(budget.used_today, budget.per_day),
              formatInteger(budget.quotes_today),
              formatUse(budget.used_this_minute, budget.per_minute),
            ],
          }))}
        />
      )}
    </Section>
  );
}

/** Shows counts and tokens of the assistant by day. It shows nothing that members wrote. */
export function AssistantSection() {
  const loaded = useLoad(operatorApi.getAssistantUse);
  return (
    <Section title="Assistant" loaded={loaded}>
      {({ days, conversations, questions, daily_tokens: limit }) => (
        <div className="grid gap-4">
          <OperatorTable
            caption="Use of the assistant by day"
            columns={['Day', ['Members'], ['Answers'], ['Tokens']]}
            emptyText="No answer used tokens in the last eight days."
            rows={days.map(({ day, members, answers, tokens }) => ({
              key: day,
              cells: [
                <WholeText key="day">{day}</WholeText>,
                formatInteger(members),
                formatInteger(answers),
                formatInteger(tokens),
              ],
            }))}
          />
          <p className="text-ink-soft">
            All members may use {formatInteger(limit)} tokens a day. {formatInteger(conversations)} conversations with{' '}
            {formatInteger(questions)} questions are stored.
          </p>
        </div>
      )}
    </Section>
  );
}
