import { formatMoney, formatMonth } from '../../../../ui/kit/formats.ts';
import { addExactly } from '../../../../ui/kit/round-parts.ts';
import { MaskedAmount } from '../../../../ui/kit/masked-amount.tsx';
import { ScrollTable } from '../../../../ui/kit/scroll-table.tsx';
import { dividendStatuses, statusLabels } from '../../../securities/ui/shared/dividend-texts.ts';
import type { DividendsResponse } from '../contract.ts';

interface IncomeTableProps {
  months: DividendsResponse['months'];
  currency: string;
  privacy: boolean;
}

/** Shows the bars' data as a table, with the total of each column. All rows are visible. */
export const IncomeTable = ({ months, currency, privacy }: IncomeTableProps) => {
  const renderAmount = (amount: number) =>
    amount === 0 ? '' : <MaskedAmount hidden={privacy}>{formatMoney(amount, currency)}</MaskedAmount>;
  return (
    <ScrollTable
      label="Dividend income by month, as a table"
      hasRowHeadings
      columns={[
        { key: 'month', heading: 'Month', kind: 'whole' },
        ...dividendStatuses.map((status) => ({ key: status, heading: statusLabels[status], kind: 'figure' as const })),
      ]}
      rows={months.map((month) => ({
        key: month.month,
        cells: [formatMonth(month.month), ...dividendStatuses.map((status) => renderAmount(month[status]))],
      }))}
      total={[
        'Total',
        ...dividendStatuses.map((status) => renderAmount(addExactly(months.map((month) => month[status])))),
      ]}
    />
  );
};
