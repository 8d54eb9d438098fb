import { formatMoney, formatPercent } from '../../../../../ui/kit/formats.ts';
import { MaskedAmount } from '../../../../../ui/kit/masked-amount.tsx';
import { calculateGroupWeight } from './calculate-figures.ts';
import type { HoldingGroup } from './group-holdings.ts';
import { type CellContext } from './holding-cells.tsx';

/**
 * Fills of the bar's parts. Each has its own pattern beside its color, and the list below the bar repeats it with the
 * name and the share.
 */
const fillClasses = [
  'bg-accent',
  'bg-mark bg-[repeating-linear-gradient(45deg,transparent_0_3px,var(--color-surface)_3px_5px)]',
  'bg-line-strong',
  'bg-accent bg-[repeating-linear-gradient(90deg,transparent_0_3px,var(--color-surface)_3px_5px)]',
  'bg-mark',
  'bg-line-strong bg-[repeating-linear-gradient(-45deg,transparent_0_3px,var(--color-surface)_3px_5px)]',
] as const;
const OTHERS_FILL_CLASS = 'bg-sunken border border-line-strong';

interface AllocationBarProps {
  /** Groups of every holding that the other filters show, largest first. */
  groups: readonly HoldingGroup[];
  context: CellContext;
  /** Key of the group that the table is filtered by. */
  chosen: string | undefined;
  onChoose: (key: string | undefined) => void;
}

/** Shows the share of each group as a bar, and as a list of buttons that filter the table. */
export function AllocationBar({ groups, context, chosen, onChoose }: AllocationBarProps) {
  const shown = groups.filter((group) => getValue(group) > 0);
  if (shown.length === 0) return null;
  const parts = shown.slice(0, fillClasses.length);
  const others = shown.slice(fillClasses.length);
  const sum = sumValues(shown);
  const getDimmedClass = (part: readonly HoldingGroup[]): string =>
    chosen === undefined || part.some(({ key }) => key === chosen) ? '' : 'opacity-30';
  return (
    <div className="grid gap-3">
      <p className="-mb-2 text-micro text-ink-faint">Share of holdings</p>
      <div aria-hidden="true" className="flex h-4 gap-0.5 overflow-hidden rounded-control">
        {parts.map((group, index) => (
          <span
            key={group.key}
            className={`min-w-1 forced-colors:border ${fillClasses[index]} ${getDimmedClass([group])}`}
            style={{ flexGrow: getValue(group) / sum }}
          />
        ))}
        {others.length > 0 && (
          <span
            className={`min-w-1 ${OTHERS_FILL_CLASS} ${getDimmedClass(others)}`}
            style={{ flexGrow: sumValues(others) / sum }}
          />
        )}
      </div>
      <ul aria-label="Allocation" className="-mx-2 flex flex-wrap gap-x-1">
        {groups.map((group, index) => (
          <li key={group.key} className="max-w-full">
            <button
              type="button"
              aria-pressed={chosen === group.key}
              className={
                'flex min-h-8 max-w-full items-center gap-2 rounded-control px-2 text-small hover:bg-sunken ' +
                'aria-pressed:bg-accent-soft'
              }
              onClick={() => onChoose(chosen === group.key ? undefined : group.key)}
            >
              <span
                aria-hidden="true"
                className={`size-3 shrink-0 rounded-small forced-colors:border ${fillClasses[index] ?? OTHERS_FILL_CLASS}`}
              />
              <span className="truncate">{group.label}</span>
              <AllocationShare group={group} context={context} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

const getValue = ({ totals }: HoldingGroup): number => totals?.value ?? 0;

const sumValues = (groups: readonly HoldingGroup[]): number => groups.reduce((sum, group) => sum + getValue(group), 0);

/** Shows the weight of a group, and on wide screens its value. */
function AllocationShare({ group, context }: { group: HoldingGroup; context: CellContext }) {
  const { totals } = group;
  const weight = calculateGroupWeight(group, context.whole);
  if (weight === null || totals?.value == null) return <span className="text-ink-faint">no value</span>;
  return (
    <span className="shrink-0 text-ink-faint">
      {`${formatPercent(weight)} `}
      <span className="max-sm:sr-only">
        <MaskedAmount hidden={context.privacy}>{formatMoney(totals.value, totals.currency)}</MaskedAmount>
      </span>
    </span>
  );
}
