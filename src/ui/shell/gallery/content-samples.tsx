import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { AmountChange } from '../../kit/amount-change.tsx';
import { ApiError } from '../../kit/api-error.ts';
import { Button } from '../../kit/button.tsx';
import { CardPlaceholder } from '../../kit/card-placeholder.tsx';
import { Card } from '../../kit/card.tsx';
import { ErrorBoundary } from '../../kit/error-boundary.tsx';
import { ErrorMessage } from '../../kit/error-message.tsx';
import { LineChart } from '../../kit/line-chart.tsx';
import { MaskedAmount } from '../../kit/masked-amount.tsx';
import { MissingFigure } from '../../kit/missing-figure.tsx';
import { NewSecret } from '../../kit/new-secret.tsx';
import { OfflineNotice } from '../../kit/offline-notice.tsx';
import { OneTimeSecret } from '../../kit/one-time-secret.tsx';
import { QrCode } from '../../kit/qr-code.tsx';
import { RovingFocusList } from '../../kit/roving-focus-list.tsx';
import { ScrollTable } from '../../kit/scroll-table.tsx';
import { SecretList } from '../../kit/secret-list.tsx';
import { Skeleton } from '../../kit/skeleton.tsx';
import { LONG_TEXT, Sample, Samples } from './sample.tsx';

const ignore = (): void => {};
const fault = new ApiError(503, 'UNAVAILABLE', 'This is not available right now; try again later.', {
  requestId: '0199a7c2-7b31-7e02-a4c5-1d2e3f4a5b6c',
});
const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_000));

function Failing(): ReactNode {
  throw new Error('It fails in order to show the boundary.');
}

const points = [980, 1_010, 1_040, 1_005, 1_090, 1_120].map((value, index) => ({
  date: `2026-11-0${index + 1}`,
  value,
  isMarked: index === 3,
  label: index === 3 ? { text: 'withdrawn $50', isOmittedIfNarrow: false } : undefined,
}));

function ChartSample({ hidden = false }: { hidden?: boolean }) {
  const describePoint = (index: number): string => `Day ${index + 1}: $${points[index]!.value}`;
  return (
    <LineChart
      label="Price by day"
      points={points}
      pageStep={2}
      describePoint={describePoint}
      renderDetails={describePoint}
      formatValue={(value) => `$${value}`}
      dashedValue={1_000}
      hidden={hidden}
      className="h-46 text-accent"
    />
  );
}

/** Shows cards, lists and what stands in their place. `prefix` makes ids unique. */
export function ContentSamples({ prefix }: { prefix: string }) {
  const list = useRef<HTMLUListElement>(null);
  return (
    <>
      <Samples title="Card">
        <Card title="Holdings" actions={<Button variant="quiet">Accounts</Button>}>
          <p>
            Net worth <MaskedAmount hidden={false}>$1,234.56</MaskedAmount>, hidden{' '}
            <MaskedAmount hidden>$1,234.56</MaskedAmount>
          </p>
        </Card>
        <Card title={LONG_TEXT}>
          <p className="text-ink-soft">No holdings yet.</p>
        </Card>
      </Samples>
      <Samples title="Table that scrolls">
        <ScrollTable
          label="Revenue by month"
          columns={[
            { key: 'month', heading: 'Month', kind: 'whole' },
            { key: 'text', heading: 'Note' },
            { key: 'amount', heading: 'Amount', kind: 'figure' },
          ]}
          rows={[
            { key: 'may', cells: ['May 2026', LONG_TEXT, '$1,234.56'] },
            { key: 'june', cells: ['June 2026', '–', '$98.00'] },
          ]}
          hasRowHeadings
          isFramed
        />
      </Samples>
      <Samples title="Line chart">
        <ChartSample />
        <Sample state="hidden">
          <ChartSample hidden />
        </Sample>
      </Samples>
      <Samples title="Change of money">
        <p>
          <AmountChange amount={12} percent={1.2} currency="USD" label="today" reason="" privacy={false} />
        </p>
        <p>
          <AmountChange amount={null} percent={null} currency="USD" label="today" reason="No price" privacy={false} />
        </p>
      </Samples>
      <Samples title="Missing figure">
        <p>
          Day change <MissingFigure reason="Funds have no day change" />
        </p>
      </Samples>
      <Samples title="Offline">
        <OfflineNotice />
      </Samples>
      <Samples title="Loading">
        <Sample state="skeleton">
          <Skeleton label={null} />
        </Sample>
        <Sample state="card placeholder">
          <CardPlaceholder />
        </Sample>
      </Samples>
      <Samples title="Error message and error boundary">
        <ErrorMessage error={fault} retry={ignore} onClose={ignore} />
        <ErrorMessage error={new ApiError(0, 'OFFLINE', LONG_TEXT)} retry={ignore} />
        <ErrorBoundary renderError={(error, retry) => <ErrorMessage error={error} retry={retry} />}>
          <Failing />
        </ErrorBoundary>
      </Samples>
      <Samples title="List with one tab stop">
        <RovingFocusList listRef={list} aria-label={`Securities, ${prefix}`}>
          {['AAPL', 'VOO', LONG_TEXT].map((name) => (
            <li key={name}>
              <a href="#main" tabIndex={-1} className="link">
                {name}
              </a>
            </li>
          ))}
        </RovingFocusList>
      </Samples>
      <SecretSamples prefix={prefix} />
    </>
  );
}

function SecretSamples({ prefix }: { prefix: string }) {
  const create = useMutation({
    async mutationFn(name: string) {
      await wait();
      return { id: name, name, secret: 'sk-tally-0123456789' };
    },
  });
  const revoke = useMutation({ mutationFn: async (_secret: { id: string; name: string }) => wait() });
  const shared = {
    secretNoun: `${prefix} key`,
    emptyMessage: 'No keys yet.',
    revocationEffect: 'Programs with it get 401 at once.',
    revoke,
    describe: ({ id }: { id: string }) => ({
      endedLabel: id === 'ended' ? 'Revoked' : null,
      badge: 'Active',
      hint: 'sk-tally-…6789',
      details: ['Created Nov 21, 2026', 'Never used'],
    }),
  };
  return (
    <Samples title="Secrets">
      <NewSecret
        secretNoun={`${prefix}-key`}
        submitLabel="Create key"
        failureTitle="The key was not created"
        placeholder="Laptop"
        create={create}
        toRequest={(name) => name}
      />
      <QrCode text="https://tally.example.com" label="QR code" />
      <OneTimeSecret secretNoun="key" name="Laptop" secret="sk-tally-0123456789" onDone={ignore} />
      <SecretList {...shared} secrets={[]} />
      <SecretList
        {...shared}
        secrets={[
          { id: 'active', name: 'Laptop' },
          { id: 'ended', name: LONG_TEXT },
        ]}
      />
    </Samples>
  );
}
