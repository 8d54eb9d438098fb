import { formatMoney, formatMonth } from '../../../../ui/kit/formats.ts';
import { MaskedAmount } from '../../../../ui/kit/masked-amount.tsx';
import { ScrollTable } from '../../../../ui/kit/scroll-table.tsx';
import { dividendStatuses, statusLabels } from '../../../securities/ui/shared/dividend-texts.ts';
import type { DividendsResponse } from '../contract.ts';

interface IncomeTableProps {
  months: DividendsResponse['months'];
  currency: string;
  privacy: boolean;
}

/** Shows the bars' data as a table. */
export const IncomeTable = ({ months, currency, privacy }: IncomeTableProps) => (
  <ScrollTable
    label="Dividend income by month, as a table"
    isFramed
    hasRowHeadings
    columns={[
      { key: 'month', heading: 'Month', kind: 'whole' },
      ...dividendStatuses.map((status) => ({ key: status, heading: statusLabels[status], kind: 'figure' as const })),
    ]}
    rows={months.map((month) => ({
      key: month.month,
      cells: [
        formatMonth(month.month),
        ...dividendStatuses.map((status) =>
          month[status] === 0 ? (
            ''
          ) : (
            <MaskedAmount key={status} hidden={privacy}>
              {formatMoney(month[status], currency)}
            </MaskedAmount>
          ),
        ),
      ],
    }))}
  />
);
