import { Badge } from '../../../ui/kit/badge.tsx';
import { PanelSampleBadge } from '../../../ui/shell/layout/sample-badge.tsx';
import { formatChange } from '../../../ui/kit/formats.ts';
import { formatEastern } from '../../../ui/kit/new-york-time.ts';
import { formatPrice, formatPriceChange } from '../../../ui/kit/price-formats.ts';
import { getDirection, toneClasses } from '../../../ui/kit/price-changes.ts';
import { assetTypeLabels } from './shared/security-labels.ts';
import { SecurityLogo } from './shared/security-logo.tsx';
import { navigate } from '../../../ui/shell/navigation/location.ts';
import { getSecurityUrl, useChartRange } from '../../../ui/shell/navigation/security-url.ts';
import type { RangeName, Security, ShownSecurity } from '../contract.ts';
import { AboutSecurity } from './about-security.tsx';
import { KeyFigures } from './key-figures.tsx';
import { PriceChart } from './price-chart.tsx';
import { RangeChoice } from './range-choice.tsx';
import { SecurityDividends } from './security-dividends.tsx';
import { SecurityNews } from './security-news.tsx';
import type { SecurityFeatures } from './security-features.ts';
import { isHistoryIncomplete } from './security-query.ts';

interface SecurityDetailsProps {
  security: Security;
  /** Time of the response. */
  nowMs: number;
  features: SecurityFeatures;
  onClose: () => void;
}

/** Messages for asset types without a price history. */
const noChartMessages: Partial<Record<ShownSecurity['asset_type'], string>> = {
  mutual_fund: 'No chart: mutual funds are priced once a day and we keep only the latest price.',
  bond: 'No chart: for bonds we have only the latest price, in percent of face value.',
};

/** Shows position, chart, key figures, news, description and actions. A locked symbol has only its name and notice. */
export function SecurityDetails({ security, nowMs, features, onClose }: SecurityDetailsProps) {
  const { symbol, asset_type: assetType, exchange } = security;
  return (
    <div className="mt-1.5 flex flex-1 flex-col gap-5">
      <p className="flex flex-wrap items-center gap-2 text-small text-ink-faint">
        <SecurityLogo symbol={symbol} logo={security.logo} size={24} />
        <span className="font-semibold text-ink-soft">{symbol}</span>
        <span>{exchange ? `${assetTypeLabels[assetType]} · ${exchange}` : assetTypeLabels[assetType]}</span>
        {security.held && <Badge tone="accent">Held</Badge>}
        {!security.locked && security.sample && <PanelSampleBadge />}
      </p>
      {!security.locked && (
        <>
          <PriceLine security={security} />
          {security.position && features.renderPosition(security.position)}
          <Chart security={security} onRangeChange={features.onRangeChange} />
          <KeyFigures security={security} />
          <SecurityDividends dividends={security.dividends} />
          <SecurityNews security={security} nowMs={nowMs} />
          <AboutSecurity security={security} />
        </>
      )}
      {features.renderActions({ security, onClose })}
    </div>
  );
}

/** Shows the price with its day change and time. */
function PriceLine({ security }: { security: ShownSecurity }) {
  const { price, change_1d: percent, change_amount: amount, price_at: priceAt, delayed_minutes: delay } = security;
  return (
    <div>
      <p className="text-figure font-semibold tracking-tight">
        {price === null ? 'No price yet' : formatPrice(price, security)}
      </p>
      <p className="flex flex-wrap gap-x-2 text-small">
        {percent !== null && (
          <span className={`font-medium ${toneClasses[getDirection(percent)]}`}>
            {amount !== null && `${formatPriceChange(amount, security)} `}
            {`(${formatChange(percent)}) on the day`}
          </span>
        )}
        {priceAt !== null && (
          <time dateTime={priceAt} className="text-ink-faint">{`as of ${formatEastern(new Date(priceAt))}`}</time>
        )}
        {delay > 0 && <span className="text-ink-faint">{`delayed up to ${delay} min`}</span>}
      </p>
    </div>
  );
}

interface ChartProps {
  security: ShownSecurity;
  onRangeChange: SecurityFeatures['onRangeChange'];
}

/** Shows the chart at the range of the address, or the reason why there is none. */
function Chart({ security, onRangeChange }: ChartProps) {
  const { symbol, ranges } = security;
  const requestedRange = useChartRange();
  const rangeNames = Object.keys(ranges) as RangeName[];
  const findRange = (wanted: string | null) => rangeNames.find((name) => name === wanted);
  const range = findRange(requestedRange) ?? findRange('1M') ?? rangeNames.at(-1);
  const closes = range && ranges[range];
  if (range && closes)
    return (
      <div className="grid gap-2">
        <PriceChart
          key={range}
          closes={closes}
          unit={security}
          label={`${symbol}, ${range}`}
          prevClose={range === '1W' ? security.prev_close : null}
        />
        <RangeChoice
          names={rangeNames}
          chosen={range}
          onChoose={(next) => {
            navigate(getSecurityUrl(symbol, next), { replace: true, keepScroll: true });
            onRangeChange(symbol, next);
          }}
        />
      </div>
    );
  const message = getNoChartMessage(security);
  return message === null ? null : <p className="text-small text-ink-faint">{message}</p>;
}

/** Returns why there is no chart, or null if the whole history is shorter than each range. */
function getNoChartMessage(security: ShownSecurity): string | null {
  const typeMessage = noChartMessages[security.asset_type];
  if (typeMessage !== undefined) return typeMessage;
  if (security.unavailable.includes('history')) return 'The chart is not available right now.';
  return isHistoryIncomplete(security) ? 'Loading price history…' : null;
}
