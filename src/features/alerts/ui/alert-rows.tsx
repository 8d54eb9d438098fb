import { IconButton } from '../../../ui/kit/icon-button.tsx';
import type { Alert } from '../contract.ts';
import { AlertedSecurity } from './alerted-security.tsx';
import { describeTerms, repeatLabels } from './alert-labels.ts';
import { useRemoveAlert } from './alerts-query.ts';

interface AlertRowsProps {
  alerts: readonly Alert[];
  /** Whether each row names its ticker. */
  showsSymbol?: boolean;
  label: string;
}

/** Shows alerts that wait for a price, each with a button that removes it. */
export function AlertRows({ alerts, showsSymbol = false, label }: AlertRowsProps) {
  const remove = useRemoveAlert();
  return (
    <ul aria-label={label} className="grid">
      {alerts.map((alert) => {
        const terms = describeTerms(alert);
        return (
          <li key={alert.id} className="flex items-center gap-3 border-t border-line py-2">
            <div className="min-w-0 flex-1">
              <p className="wrap-anywhere">
                {showsSymbol && (
                  <>
                    <AlertedSecurity symbol={alert.symbol} />{' '}
                  </>
                )}
                {terms}
              </p>
              <p className="text-small wrap-anywhere text-ink-faint">
                {repeatLabels[alert.repeats]}
                {alert.note !== null && ` · ${alert.note}`}
              </p>
            </div>
            <IconButton
              icon="close"
              label={`Remove alert: ${alert.symbol}, ${terms}`}
              title="Remove"
              variant="remove"
              onClick={(event) => {
                // The row disappears with the focus.
                event.currentTarget.closest('dialog')?.querySelector<HTMLElement>('h2')?.focus();
                remove(alert);
              }}
            />
          </li>
        );
      })}
    </ul>
  );
}
