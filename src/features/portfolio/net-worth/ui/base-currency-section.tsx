import { useQuery } from '@tanstack/react-query';
import { Card } from '../../../../ui/kit/card.tsx';
import { ErrorMessage } from '../../../../ui/kit/error-message.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { BaseCurrencySelect } from './base-currency-select.tsx';
import { portfolioSettingsQuery } from './base-currency.ts';

/** Shows the currency in which net worth is shown. */
export function BaseCurrencySection() {
  const { data, error, refetch } = useQuery(portfolioSettingsQuery);
  const retry = (): void => {
    void refetch();
  };
  const renderContent = () => {
    if (data) return <BaseCurrencySelect currency={data.base_currency ?? 'USD'} />;
    return error ? <ErrorMessage error={error} retry={retry} /> : <Skeleton lines={1} label={null} />;
  };
  return (
    <Card title="Base currency">
      {renderContent()}
      <p className="mt-2 max-w-prose text-small text-ink-faint">
        Your net worth is shown in this currency, at daily reference rates. Prices stay in the currency of each listing.
      </p>
    </Card>
  );
}
