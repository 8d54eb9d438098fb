import { useState } from 'react';
import { formatMoney } from '../../../../../ui/kit/formats.ts';
import { MaskedAmount } from '../../../../../ui/kit/masked-amount.tsx';
import { roundParts } from '../../../../../ui/kit/round-parts.ts';
import type { CardProps } from '../shared/dashboard-card.ts';
import { Explained } from '../../../explain/ui/explained.tsx';
import { formatPerShare, statusLabels } from '../../../../securities/ui/shared/dividend-texts.ts';
import { DatedRow } from './dated-row.tsx';
import { CardFooter } from './card-footer.tsx';
import { EmptyCard } from './empty-card.tsx';
import { IncompleteNote } from './incomplete-note.tsx';
import { QueryCard, RowSkeleton } from './query-card.tsx';
import type { DividendsResponse, UpcomingDividend } from '../../../dividends/contract.ts';
import { useDividends } from '../../../dividends/ui/dividends-query.ts';

const COLLAPSED_ROWS = 5;

/** Shows the dashboard's card `dividends`: the payments of the next 90 days and their income. */
export function DividendsCard({ hasWatchlist, presence, privacy, onAddInvestment }: CardProps) {
  const emptyDividends = (
    <EmptyCard text="Dividends of what you own or watch." action={{ label: 'Add investment', run: onAddInvestment }} />
  );
  return (
    <QueryCard
      id="dividends"
      title="Dividends"
      query={useDividends()}
      hasRows={presence.heldOrWatched}
      skeleton={presence.heldOrWatched ? <RowSkeleton rows={COLLAPSED_ROWS + 1} /> : emptyDividends}
    >
      {(dividends) => {
        if (dividends.payments.length > 0) return <Payments dividends={dividends} privacy={privacy} />;
        if (!hasWatchlist && !presence.holdings) return emptyDividends;
        return (
          <>
            <EmptyCard text="No dividends known for the next 90 days." />
            {!dividends.complete && <IncompleteNote what="securities" />}
          </>
        );
      }}
    </QueryCard>
  );
}

interface PaymentsProps {
  dividends: DividendsResponse;
  privacy: boolean;
}

function Payments({ dividends, privacy }: PaymentsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { payments, currency, income_90_days: income, complete } = dividends;
  // The amounts of the rows add up to the income above them.
  const amounts = roundParts(
    payments.map(({ base }) => base),
    income ?? 0,
    currency,
  );
  const shown = isOpen ? payments : payments.slice(0, COLLAPSED_ROWS);
  return (
    <>
      {income !== null && (
        <p className="flex min-h-10 flex-wrap items-baseline gap-x-2 px-4 sm:px-5">
          <span className="text-lead font-semibold">
            <Explained figure={{ of: 'dividends', period: '90_days' }}>
              <MaskedAmount hidden={privacy}>{formatMoney(income, currency)}</MaskedAmount>
            </Explained>
          </span>
          <span className="text-small text-ink-faint">in the next 90 days, before taxes</span>
        </p>
      )}
      <ul aria-label="Dividends">
        {shown.map((payment, index) => (
          <PaymentRow
            key={`${payment.symbol} ${payment.ex_date} ${payment.per_year}`}
            payment={payment}
            income={amounts[index] ?? null}
            currency={currency}
            privacy={privacy}
          />
        ))}
      </ul>
      {!complete && <IncompleteNote what="securities" />}
      {payments.length > COLLAPSED_ROWS && (
        <CardFooter isOpen={isOpen} count={payments.length} noun="dividends" onToggle={() => setIsOpen(!isOpen)} />
      )}
    </>
  );
}

interface PaymentRowProps {
  payment: UpcomingDividend;
  /** In the base currency. Null if not held, or without a rate. */
  income: number | null;
  currency: string;
  privacy: boolean;
}

function PaymentRow({ payment, income, currency, privacy }: PaymentRowProps) {
  const status = statusLabels[payment.status];
  return (
    <DatedRow date={payment.date} security={payment}>
      <p className="font-medium">
        {income === null ? (
          `${formatPerShare(payment)} a share`
        ) : (
          <MaskedAmount hidden={privacy}>{formatMoney(income, currency)}</MaskedAmount>
        )}
      </p>
      <p className="text-ink-faint">{income === null ? status : `${status}, ${formatPerShare(payment)}`}</p>
    </DatedRow>
  );
}
