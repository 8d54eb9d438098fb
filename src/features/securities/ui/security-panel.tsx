import { useEffect } from 'react';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { OfflineNotice } from '../../../ui/kit/offline-notice.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import { showToast } from '../../../ui/kit/toasts.ts';
import { closeSecurity } from '../../../ui/shell/navigation/security-url.ts';
import { SecurityDetails } from './security-details.tsx';
import type { SecurityFeatures } from './security-features.ts';
import { useSecurity } from './security-query.ts';
import { SidePanel } from './side-panel.tsx';

interface SecurityPanelProps {
  symbol: string;
  /** Name that the page has already read, for the title until the response. */
  knownName: string | null;
  features: SecurityFeatures;
}

/** Shows one security in the side panel, watched or not. */
export function SecurityPanel({ symbol, knownName, features }: SecurityPanelProps) {
  const { data, dataUpdatedAt, error, isPending, isPaused, refetch } = useSecurity(symbol);
  const isUnknown = error instanceof ApiError && (error.status === 404 || error.status === 422 || error.status === 400);
  useEffect(() => {
    if (!isUnknown) return;
    showToast(`We have no security with the symbol ${symbol.slice(0, 32)}.`);
    closeSecurity();
  }, [isUnknown, symbol]);
  return (
    <SidePanel title={data?.name ?? knownName ?? symbol}>
      {data && <SecurityDetails security={data} nowMs={dataUpdatedAt} features={features} onClose={closeSecurity} />}
      {isPaused && !data && <OfflineNotice />}
      {isPending && !isPaused && <Skeleton lines={8} label={`Loading ${symbol}`} />}
      {error && !isUnknown && !data && (
        <div className="mt-4">
          <ErrorMessage
            error={error}
            retry={() => {
              void refetch();
            }}
          />
        </div>
      )}
    </SidePanel>
  );
}
