import { type FormEvent, useState } from 'react';
import { indexConnectionsByAccount, useConnections } from '../../../connections/ui/shared/connections-query.ts';
import { getFieldText } from '../../../../ui/kit/field-text.ts';
import { formatMoney } from '../../../../ui/kit/formats.ts';
import { formatQuantity } from '../../../../ui/kit/price-formats.ts';
import { formatLocale } from '../../../../ui/kit/format-locale.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { Dialog } from '../../../../ui/kit/dialog.tsx';
import { ErrorMessage } from '../../../../ui/kit/error-message.tsx';
import { FormErrors } from '../../../../ui/kit/form-errors.tsx';
import { Explained } from '../../explain/ui/explained.tsx';
import type { HoldingTarget } from '../../explain/ui/explained-figure.ts';
import { MaskedAmount } from '../../../../ui/kit/masked-amount.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import type { Holding, Position } from '../contract.ts';
import { AmountFields } from './amount-fields.tsx';
import { useAccounts } from './accounts-query.ts';
import { useHoldings } from './holdings-queries.ts';
import { removeHolding, saveHolding } from './change-holdings.ts';
import { DayChange, TotalGain } from './holding-changes.tsx';
import { EditableList, EditableListRow } from './editable-list.tsx';
import { parseHoldingChanges } from './parse-changes.ts';
import { SourceLine } from './source-line.tsx';
import { useInvestmentChange } from './use-investment-change.ts';

export interface HoldingDialogProps {
  position: Pick<Position, 'symbol' | 'change_1d'>;
  privacy: boolean;
  onClose: () => void;
}

/**
 * Shows the holdings of one security. A single manual holding opens its form, and otherwise one can be selected.
 * Holdings of connected accounts belong to their institutions.
 */
export default function HoldingDialog({
  position: { symbol, change_1d: change },
  privacy,
  onClose,
}: HoldingDialogProps) {
  const { data, error, isPending, refetch } = useHoldings();
  const accounts = useAccounts();
  const connectionByAccount = indexConnectionsByAccount(useConnections().data);
  const [chosen, setChosen] = useState<string | null>(null);
  const manualAccountIds = new Set(accounts.data?.accounts.filter(({ kind }) => kind === 'manual').map(({ id }) => id));
  const isManual = (holding: Holding): boolean => manualAccountIds.has(holding.account_id);
  const rows = accounts.data && data?.holdings.filter((holding) => holding.symbol === symbol);
  const [singleHolding, ...others] = rows ?? [];
  const edited =
    singleHolding && others.length === 0
      ? isManual(singleHolding) && singleHolding
      : rows?.find(({ id }) => id === chosen);
  const renderContent = () => {
    if (edited)
      return (
        <HoldingForm
          key={edited.id}
          holding={edited}
          change={change}
          privacy={privacy}
          onDone={() => (others.length === 0 ? onClose() : setChosen(null))}
        />
      );
    if (rows)
      return (
        <>
          <EditableList label={`Your holdings of ${symbol}`} emptyText={rows.length === 0 && 'You no longer own this.'}>
            {rows.map((holding) => (
              <EditableListRow
                key={holding.id}
                name={holding.account_name}
                label={`Edit ${symbol} in ${holding.account_name}`}
                onEdit={isManual(holding) ? () => setChosen(holding.id) : undefined}
              >
                <Amounts holding={holding} change={change} privacy={privacy} />
                <SourceLine connection={connectionByAccount.get(holding.account_id)} />
              </EditableListRow>
            ))}
          </EditableList>
          <DoneButton onClose={onClose} />
        </>
      );
    if (isPending || accounts.isPending) return <Skeleton lines={4} label="Loading your holdings" />;
    return (
      <div className="mt-4">
        <ErrorMessage
          error={error ?? accounts.error}
          retry={() => {
            void Promise.all([refetch(), accounts.refetch()]);
          }}
        />
        <DoneButton onClose={onClose} />
      </div>
    );
  };
  return (
    <Dialog title={`${symbol} in your accounts`} className="w-[min(30rem,calc(100vw-2rem))]" onClose={onClose}>
      {renderContent()}
    </Dialog>
  );
}

interface AmountsProps {
  holding: Holding;
  /** Day change of the security in percent. */
  change: number | null;
  privacy: boolean;
}

function Amounts({ holding, change, privacy }: AmountsProps) {
  const { quantity, value, currency } = holding;
  return (
    <>
      <MaskedAmount hidden={privacy} mask="88">
        {formatQuantity(quantity)}
      </MaskedAmount>
      {value !== null && (
        <>
          {' · '}
          <Explained figure={{ ...getTarget(holding), figure: 'value' }}>
            <MaskedAmount hidden={privacy}>{formatMoney(value, currency ?? 'USD')}</MaskedAmount>
          </Explained>
        </>
      )}
      <Changes holding={holding} change={change} privacy={privacy} />
    </>
  );
}

/** Shows the day change and the gain of a holding. */
const Changes = ({ holding, change, privacy }: AmountsProps) => (
  <p className="flex flex-wrap gap-x-3">
    <DayChange holding={{ ...holding, change_1d: change }} privacy={privacy} explained={getTarget(holding)} />
    <TotalGain holding={holding} privacy={privacy} explained={getTarget(holding)} />
  </p>
);

const getTarget = ({ id, symbol, account_name: account }: Holding): HoldingTarget => ({
  of: 'holding',
  id,
  name: `${symbol} in ${account}`,
});

const DoneButton = ({ onClose }: { onClose: () => void }) => (
  <div className="mt-5 flex justify-end">
    <Button onClick={onClose}>Done</Button>
  </div>
);

interface HoldingFormProps extends AmountsProps {
  /** With privacy the fields start empty, and an empty field keeps its hidden value. */
  privacy: boolean;
  onDone: () => void;
}

/** Edits quantity and cost of a holding in one account, and removes it. */
function HoldingForm({ holding, change, privacy, onDone }: HoldingFormProps) {
  const { problems, pending, showProblems, run } = useInvestmentChange(
    'This holding no longer exists. Another tab may have removed it.',
  );
  const [isRemoving, setIsRemoving] = useState(false);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const typed = {
      quantity: getFieldText(form, 'quantity'),
      cost: getFieldText(form, 'cost'),
      isSplit: form.has('split'),
    };
    const result = parseHoldingChanges(typed, { locale: formatLocale.get(), ...holding }, privacy);
    if (!result.ok) return showProblems(result.problems);
    if (Object.keys(result.changes).length === 0) return onDone();
    setIsRemoving(false);
    run((queries) => saveHolding(queries, holding.id, result.changes), onDone);
  }

  function remove(): void {
    setIsRemoving(true);
    run((queries) => removeHolding(queries, holding), onDone);
  }

  return (
    <form noValidate className="mt-4 grid gap-4" onSubmit={submit}>
      <FormErrors problems={problems} title="Could not save the changes" />
      <div className="text-small">
        <p className="text-ink-soft">{`In ${holding.account_name}`}</p>
        <Changes holding={holding} change={change} privacy={privacy} />
      </div>
      <AmountFields security={holding} problems={problems} holding={holding} privacy={privacy} />
      {holding.asset_type !== 'bond' && (
        <label className="flex items-start gap-2 text-small">
          <input type="checkbox" name="split" className="mt-0.5 size-4" />
          This is a stock split: nothing was bought or sold
        </label>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <Button variant="danger" className="me-auto" pending={pending && isRemoving} onClick={remove}>
          Remove
        </Button>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" pending={pending && !isRemoving}>
          Save
        </Button>
      </div>
    </form>
  );
}
