import type { HTMLAttributes } from 'react';
import { SecurityLogo } from '../../../securities/ui/shared/security-logo.tsx';
import { Icon } from '../../../../ui/kit/icon.tsx';
import type { Security } from '../list/optimistic-updates.ts';
import { assetTypeLabels } from '../../../securities/ui/shared/security-labels.ts';

interface SearchOptionProps {
  /** Props that make the element an option of the combobox. */
  optionProps: HTMLAttributes<HTMLElement>;
  security: Security;
  isWatched: boolean;
  isHighlighted: boolean;
  /** True if the list is full, so that no security can be added. */
  isFull: boolean;
}

/**
 * Shows one result. A press adds the security and a second press removes it. The icon at the end shows the next action.
 */
export function SearchOption({ optionProps, security, isWatched, isHighlighted, isFull }: SearchOptionProps) {
  const { symbol, name, exchange, asset_type: assetType } = security;
  return (
    <div
      {...optionProps}
      aria-selected={isWatched}
      aria-disabled={(isFull && !isWatched) || undefined}
      data-highlighted={isHighlighted || undefined}
      className={
        'group flex min-h-12 cursor-pointer items-center gap-3 rounded-control px-2 ' +
        'py-1.5 aria-disabled:cursor-default data-highlighted:bg-accent-soft'
      }
    >
      <SecurityLogo symbol={symbol} logo={security.logo} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">
          {symbol}
          <span className="sr-only">, </span>
          {exchange && <span className="ms-1.5 text-micro font-normal text-ink-faint">{exchange}</span>}
          {exchange && <span className="sr-only">, </span>}
        </p>
        <p className="truncate text-small text-ink-faint">{name}</p>
        {security.renamed_from && (
          <p className="text-small text-ink-soft">
            <span className="sr-only">, </span>
            {`${security.renamed_from} is ${symbol} now`}
          </p>
        )}
        {name && <span className="sr-only">, </span>}
        <span className="sr-only">
          {isWatched ? `${assetTypeLabels[assetType]}, watching` : assetTypeLabels[assetType]}
        </span>
      </div>
      {isWatched ? (
        <span
          className={
            'grid size-6 shrink-0 place-items-center rounded-full bg-accent ' +
            'text-on-accent group-hover:bg-loss-soft group-hover:text-loss'
          }
        >
          <span className="group-hover:hidden">
            <Icon name="check" size={14} />
          </span>
          <span className="hidden group-hover:block">
            <Icon name="minus" size={14} />
          </span>
        </span>
      ) : (
        <span
          className={
            'grid size-6 shrink-0 place-items-center rounded-full border ' +
            'border-line-strong text-ink-soft group-aria-disabled:opacity-40'
          }
        >
          <Icon name="plus" size={14} />
        </span>
      )}
    </div>
  );
}
