import type { ReactNode } from 'react';
import { ScrollTable } from '../../../ui/kit/scroll-table.tsx';
import { Button } from '../../../ui/kit/button.tsx';
import { Card } from '../../../ui/kit/card.tsx';
import type { RevenueFile, RevenueResponse } from '../contract.ts';
import { BarChart } from './bar-chart.tsx';
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
      <Card title="Monthly recurring revenue">
        <Definition>
          Monthly plan prices of active and past-due subscriptions, yearly prices divided by twelve, without trials,
          grants by operators and tax. Start + new + expansion + reactivation + contraction + churn = end. A movement
          counts in the month (UTC) of its detection. A payer’s first one is new.
        </Definition>
        {renderSection(createRecurringSection(revenue))}
      </Card>
      <Card title="Net revenue">
        <Definition>
          Paid invoices without tax, less refunds and open or lost disputes, on the day (UTC) of the payment, by the
          source of the subscription. A later change of plan does not change the source. New subscriptions include
          reactivated ones.
        </Definition>
        {renderSection(createNetSection(revenue, 'source'))}
        {renderSection(createNetSection(revenue, 'bucket'))}
        {renderSection(createNetSection(revenue, 'tier'))}
      </Card>
      <Card title="Conversion funnel">
        <Definition>
          Members who entered the funnel in this period (UTC) and reached each step within 30 days. A funnel starts at
          the first step from an entry source after 30 days without one. Members who opted out of tracking are counted
          from checkout. Deleted members are excluded.
        </Definition>
        {renderSection(createFunnelSection(revenue))}
      </Card>
      <Card title="Cohorts">
        <Definition>
          Payers by the month (UTC) and entry source of their first subscription, with the number who pay now and their
          monthly total.
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

function Section({ section, onDownload }: SectionProps) {
  const { file, title, charts, columns, rows, labelColumnCount = 1 } = section;
  return (
    <div className="mt-5 border-t border-line pt-4 first-of-type:border-t-0 first-of-type:pt-0">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-semibold">{title}</h3>
        {rows.length > 0 && (
          <Button aria-label={`Download as CSV: ${title}`} onClick={() => onDownload(file)}>
            Download as CSV
          </Button>
        )}
      </div>
      {rows.length === 0 ? (
        <p className="mt-2 text-ink-soft">No data for this period.</p>
      ) : (
        <>
          {charts.map((chart) => (
            <BarChart key={chart.title} {...chart} description={describeChart(chart)} />
          ))}
          <div className="mt-4">
            <ScrollTable
              label={title}
              hasRowHeadings
              columns={columns.map((name, index) => ({
                key: name,
                heading: name,
                kind: index < labelColumnCount ? 'whole' : 'figure',
              }))}
              rows={rows.map((cells, index) => ({ key: `${cells[0]} ${index}`, cells }))}
            />
          </div>
        </>
      )}
    </div>
  );
}

const describeChart = ({ bars }: RevenueSection['charts'][number]): string =>
  `${bars.map(({ label, valueText }) => `${label}: ${valueText}`).join('; ')}. The table below has the same figures.`;
