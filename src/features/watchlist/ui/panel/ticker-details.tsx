import type { CardProps } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { flushSync } from 'react-dom';
import { formatChange, formatCompactMoney } from '../../../../ui/kit/formats.ts';
import { navigate, useSearchParams } from '../../../../ui/shell/navigation/location.ts';
import { formatCalendarDay, formatEastern } from '../../../../ui/shell/market/new-york-time.ts';
import { formatPrice, formatPriceChange, formatVolume } from '../../../../ui/shell/market/price-formats.ts';
import { Badge } from '../../../../ui/kit/badge.tsx';
import { Button } from '../../../../ui/kit/button.tsx';
import { SecurityLogo } from '../../../../ui/shell/market/security-logo.tsx';
import type { RangeName, TickerDetail, Watchlist } from '../../contract.ts';
import { useConfirmRemoval } from '../list/confirm-removal.tsx';
import { capture } from '../list/capture.ts';
import { assetTypeLabels } from '../list/item-labels.ts';
import { getTickerPrompt } from './ticker-prompt.ts';
import { PriceChart } from './price-chart.tsx';
import { RangeChoice } from './range-choice.tsx';
import { getFundIssuer, parseBondTerms } from './parse-security-name.ts';
import { getDirection, toneClasses } from '../list/second-line.ts';
import { getTickerUrl } from './ticker-url.ts';
import { TickerPosition } from './ticker-position.tsx';
import { isHistoryIncomplete } from './ticker-query.ts';
import { useRemoveWithUndo } from '../list/remove-with-undo.ts';

/** Props that the surrounding page passes to a ticker's detail. */
export type TickerContextProps = Pick<CardProps, 'privacy' | 'onBought' | 'onAsk'>;

interface TickerDetailsProps extends TickerContextProps {
  detail: TickerDetail;
  list: Watchlist;
  onClose: () => void;
}

/** Messages for asset types without a price history. */
const noChartMessages: Partial<Record<TickerDetail['asset_type'], string>> = {
  mutual_fund: 'No chart: mutual funds are priced once a day and we keep only the latest price.',
  bond: 'No chart: for bonds we have only the latest price, in percent of face value.',
};

/** Texts for the time of day of an earnings report. */
const reportTimes: Readonly<Record<string, string>> = {
  bmo: ', before the market opens',
  amc: ', after the market closes',
};

/** Shows the price, day change, chart, key statistics, the member's position, and the actions. */
export function TickerDetails({ detail, list, privacy, onBought, onAsk, onClose }: TickerDetailsProps) {
  const removeWithUndo = useRemoveWithUndo();
  const removal = useConfirmRemoval(list, (item) => {
    // The panel restores the focus to its row before the row is removed.
    flushSync(onClose);
    removeWithUndo(item);
  });
  const requestedRange = useSearchParams().get('range');
  const rangeNames = Object.keys(detail.ranges) as RangeName[];
  const findRange = (wanted: string | null) => rangeNames.find((name) => name === wanted);
  const range = findRange(requestedRange) ?? findRange('1M') ?? rangeNames.at(-1);
  const closes = range && detail.ranges[range];
  const { symbol, change_1d: percent, change_amount: amount } = detail;
  const prompt = getTickerPrompt(detail);

  return (
    <div className="mt-1.5 flex flex-1 flex-col gap-5">
      <p className="flex flex-wrap items-center gap-2 text-small text-ink-faint">
        <SecurityLogo symbol={symbol} logo={detail.logo} size={24} />
        <span className="font-semibold text-ink-soft">{symbol}</span>
        <span>{assetTypeLabels[detail.asset_type]}</span>
        {detail.held && <Badge tone="accent">Held</Badge>}
        {detail.sample && <Badge tone="warn">Sample data</Badge>}
      </p>
      <div>
        <p className="text-figure font-semibold tracking-tight">
          {detail.price === null ? 'No price yet' : formatPrice(detail.price, detail)}
        </p>
        <p className="flex flex-wrap gap-x-2 text-small">
          {percent !== null && (
            <span className={`font-medium ${toneClasses[getDirection(percent)]}`}>
              {amount !== null && `${formatPriceChange(amount, detail)} `}
              {`(${formatChange(percent)}) on the day`}
            </span>
          )}
          {detail.price_at !== null && (
            <time
              dateTime={detail.price_at}
              className="text-ink-faint"
            >{`as of ${formatEastern(new Date(detail.price_at))}`}</time>
          )}
          {detail.delayed_minutes > 0 && (
            <span className="text-ink-faint">{`delayed up to ${detail.delayed_minutes} min`}</span>
          )}
        </p>
      </div>
      {range && closes && (
        <div className="grid gap-2">
          <PriceChart
            key={range}
            closes={closes}
            unit={detail}
            label={`${symbol}, ${range}`}
            prevClose={range === '1W' ? detail.prev_close : null}
          />
          <RangeChoice
            names={rangeNames}
            chosen={range}
            onChoose={(next) => {
              navigate(getTickerUrl(symbol, next), { replace: true, keepScroll: true });
              capture('watchlist_range_changed', list, { symbol, range: next });
            }}
          />
        </div>
      )}
      {!range && isHistoryIncomplete(detail) && <p className="text-small text-ink-faint">Loading price history…</p>}
      {detail.history === 'unavailable' && (
        <p className="text-small text-ink-faint">The chart is not available right now.</p>
      )}
      {noChartMessages[detail.asset_type] && (
        <p className="text-small text-ink-faint">{noChartMessages[detail.asset_type]}</p>
      )}
      <KeyStatistics detail={detail} />
      {detail.positions.length > 0 && (
        <TickerPosition positions={detail.positions} currency={detail.currency} privacy={privacy} />
      )}
      {/* The actions stick to the lower edge, so that they do not move when content loads above them. */}
      <div className="sticky bottom-0 z-10 -mx-5 mt-auto flex flex-wrap gap-2 border-t border-line bg-raised px-5 py-3">
        {!detail.held && (
          <Button
            variant="primary"
            onClick={() => {
              capture('watchlist_bought_clicked', list, { symbol });
              onClose();
              onBought({ symbol, name: detail.name });
            }}
          >
            I bought this
          </Button>
        )}
        <Button
          onClick={() => {
            capture('watchlist_assistant_asked', list, { symbol });
            onClose();
            onAsk(prompt);
          }}
        >
          {prompt.about === 'why_moving' ? 'Why is it moving?' : 'What’s new?'}
        </Button>
        <Button
          onClick={() => {
            const item = list.items.find((row) => row.symbol === symbol);
            if (item) removal.request(item);
            else onClose();
          }}
        >
          Remove
        </Button>
      </div>
      {removal.dialog}
    </div>
  );
}

/** Shows statistics such as volume and market cap. Unknown ones are omitted. */
function KeyStatistics({ detail }: { detail: TickerDetail }) {
  const formatOptionalPrice = (value: number | null): string | null =>
    value === null ? null : formatPrice(value, detail);
  const formatRange = (low: number | null, high: number | null): string | null =>
    low === null || high === null ? null : `${formatPrice(low, detail)} – ${formatPrice(high, detail)}`;
  const report = detail.next_report;
  const reportTime = reportTimes[report?.when ?? ''] ?? '';
  const terms = detail.asset_type === 'bond' ? parseBondTerms(detail.name) : null;
  const statistics: readonly (readonly [string, string | null])[] = [
    ['Issuer', terms ? terms.issuer : getFundIssuer(detail)],
    ['Coupon', terms && terms.coupon],
    ['Maturity', terms && formatCalendarDay(terms.maturity)],
    ['Open', formatOptionalPrice(detail.open)],
    ['Previous close', formatOptionalPrice(detail.prev_close)],
    ['Day’s range', formatRange(detail.day_low, detail.day_high)],
    ['52-week range', formatRange(detail.low_52w, detail.high_52w)],
    ['Volume', detail.volume === null ? null : formatVolume(detail.volume)],
    ['Market cap', detail.market_cap === null ? null : formatCompactMoney(detail.market_cap, detail.currency ?? 'USD')],
    [
      'Price as of',
      noChartMessages[detail.asset_type] && detail.price_at !== null ? formatEastern(new Date(detail.price_at)) : null,
    ],
    ['Next earnings', report && `${formatCalendarDay(report.date)}${reportTime}`],
  ];
  return (
    <dl className="grid text-small">
      {statistics.map(
        ([label, text]) =>
          text !== null && (
            <div key={label} className="flex justify-between gap-4 border-t border-line py-1.5">
              <dt className="text-ink-faint">{label}</dt>
              <dd className="text-end font-medium">{text}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
