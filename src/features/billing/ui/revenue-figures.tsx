import type { ReactNode } from 'react';
import { Button } from '../../../ui/kit/button.tsx';
import { Card } from '../../../ui/kit/card.tsx';
import type { RevenueFile, RevenueResponse } from '../contract.ts';
import { BarChart } from './bar-chart.tsx';
import { FigureTable } from './figure-table.tsx';
import {
  createCohortSection,
  createFunnelSection,
  createNetSection,
  createRecurringSection,
  type RevenueSection,
} from './revenue-sections.ts';

interface RevenueFiguresProps {
  revenue: RevenueResponse;
  onDownload: (file: RevenueFile) => void;
}

/** Shows every part of revenue with a description, its charts and tables of the same figures. */
export function RevenueFigures({ revenue, onDownload }: RevenueFiguresProps) {
  const renderSection = (section: RevenueSection) => <Section section={section} onDownload={onDownload} />;
  return (
    <>
      <Card title="Recurring revenue a month">
        <Definition>
          Plan prices a month of subscriptions that are active or past due, a year’s divided by twelve; without trials,
          grants by operators and tax. Start + new + expansion + reactivation + contraction + churn = end. A movement
          stands in the month (UTC) in which it was seen; a payer’s first is new.
        </Definition>
        {renderSection(createRecurringSection(revenue))}
      </Card>
      <Card title="Net revenue">
        <Definition>
          Paid invoices without tax, less succeeded refunds and what disputes have withdrawn and not given back, on the
          day (UTC) on which the money moved, by what led to the subscription. A later change of plan does not change
          the source. New subscriptions are those that began or came back.
        </Definition>
        {renderSection(createNetSection(revenue, 'source'))}
        {renderSection(createNetSection(revenue, 'bucket'))}
        {renderSection(createNetSection(revenue, 'tier'))}
      </Card>
      <Card title="The way to a paid plan">
        <Definition>
          Members whose way began in these days (UTC), and who of them took each step within 30 days. A way begins with
          a step before which there was none of the same entry source for 30 days. Those who do not want to be followed
          are counted from the checkout on, those who were deleted not at all.
        </Definition>
        {renderSection(createFunnelSection(revenue))}
      </Card>
      <Card title="Cohorts">
        <Definition>
          Payers by the month (UTC) and entry source of their first subscription: how many of them pay now, and how much
          a month.
        </Definition>
        {renderSection(createCohortSection(revenue))}
      </Card>
    </>
  );
}

const Definition = ({ children }: { children: ReactNode }) => (
  <p className="max-w-prose text-small text-ink-soft">{children}</p>
);

type SectionProps = Pick<RevenueFiguresProps, 'onDownload'> & { section: RevenueSection };

function Section({ section: { file, title, charts, ...table }, onDownload }: SectionProps) {
  return (
    <div className="mt-5 border-t border-line pt-4 first-of-type:border-t-0 first-of-type:pt-0">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-semibold">{title}</h3>
        {table.rows.length > 0 && (
          <Button aria-label={`Download as CSV: ${title}`} onClick={() => onDownload(file)}>
            Download as CSV
          </Button>
        )}
      </div>
      {table.rows.length === 0 ? (
        <p className="mt-2 text-ink-soft">Nothing in these days.</p>
      ) : (
        <>
          {charts.map((chart) => (
            <BarChart key={chart.title} {...chart} description={describeChart(chart)} />
          ))}
          <FigureTable caption={title} {...table} />
        </>
      )}
    </div>
  );
}

const describeChart = ({ bars }: RevenueSection['charts'][number]): string =>
  `${bars.map(({ label, words }) => `${label}: ${words}`).join('; ')}. The table below has the same figures.`;
