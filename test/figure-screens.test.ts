import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'vitest';

/** Imported names with which a component shows an amount of money. */
const MONEY =
  /\b(formatMoney|formatCompactMoney|formatAmount|formatSignedAmount|formatPrice|formatPriceOf|formatPriceChange|AmountChange|MaskedAmount)\b/;

/** Components whose amounts test/e2e/figures.e2e.ts reads and computes anew. */
const READ = `
portfolio/accounts/ui/accounts-dialog.tsx
portfolio/dashboard/ui/cards/accounts-card.tsx
portfolio/net-worth/ui/currency-list.tsx
portfolio/dashboard/ui/cards/positions-list.tsx
portfolio/dashboard/ui/cards/movers-card.tsx
portfolio/dashboard/ui/cards/net-worth-card.tsx
portfolio/net-worth/ui/net-worth-change.tsx
portfolio/net-worth/ui/net-worth-chart.tsx
portfolio/holdings/ui/holding-changes.tsx
portfolio/holdings/ui/page/allocation-bar.tsx
portfolio/holdings/ui/page/cash-list.tsx
portfolio/holdings/ui/page/holding-cells.tsx
portfolio/holdings/ui/page/holdings-list.tsx
portfolio/holdings/ui/page/portfolio-summary.tsx
portfolio/holdings/ui/page/unconverted-amounts.tsx
portfolio/holdings/ui/portfolio-totals.tsx
portfolio/holdings/ui/totals-changes.tsx
portfolio/holdings/ui/security-position.tsx
portfolio/accounts/ui/account-amounts.tsx
`
  .trim()
  .split('\n');

/** Components with other amounts, or with those of read ones once more. */
const NOT_READ: Readonly<Record<string, string>> = {
  'portfolio/holdings/ui/holding-dialog.tsx': 'values of the panel beside the fields that change them',
  'portfolio/import/ui/column-fields.tsx': 'cells of a file',
  'portfolio/import/ui/import-preview.tsx': 'amounts of a file',
  'portfolio/dashboard/ui/cards/dividends-card.tsx': 'dividends, which test/e2e/dividends.e2e.ts computes anew',
  'portfolio/dashboard/ui/cards/earnings-card.tsx': 'earnings per share',
  'portfolio/dashboard/ui/past-prices.tsx': 'values at past prices, which past-prices.test.ts computes by hand',
  'portfolio/dividends/ui/income-bars.tsx': 'dividends, which test/e2e/dividends.e2e.ts computes anew',
  'portfolio/dividends/ui/income-section.tsx': 'dividends, which test/e2e/dividends.e2e.ts computes anew',
  'portfolio/dividends/ui/income-table.tsx': 'dividends, which test/e2e/dividends.e2e.ts computes anew',
  'securities/ui/shared/dividend-texts.ts': 'part of components',
  'settings/ui/number-format-section.tsx': 'examples of a format',
  'securities/ui/list-key-figures.ts': 'figures of a security',
  'securities/ui/price-chart.tsx': 'prices of a security',
  'securities/ui/close-table.tsx': 'prices of a security',
  'securities/ui/security-details.tsx': 'prices of a security',
  'site/ui/landing-features.tsx': 'amounts of an invented portfolio',
  'site/ui/portfolio-preview.tsx': 'amounts of an invented portfolio',
  'site/ui/sample-securities.tsx': 'amounts of an invented portfolio',
  'token-api/ui/playground/counts-panel.tsx': 'cost of a request',
  'watchlist/ui/list/month-range.ts': 'prices of securities',
  'watchlist/ui/card/watch-row.tsx': 'prices of securities',
  'watchlist/ui/card/row-label.ts': 'prices of securities',
  'watchlist/ui/list/second-line.ts': 'prices of securities',
  'alerts/describe-alert.ts': 'prices of securities',
  'alerts/ui/alert-labels.ts': 'prices of securities',
  'alerts/ui/set-alert-dialog.tsx': 'prices of securities',
  'connections/ui/merge-dialog.tsx': 'amounts of two accounts before they become one',
  'billing/ui/plan-card.tsx': 'prices of plans',
  'billing/ui/visitor-plans.tsx': 'prices of plans',
  'billing/ui/change-dialog.tsx': 'prices of plans',
  'billing/ui/billing.tsx': 'prices of plans',
  'billing/ui/plan-labels.ts': 'prices of plans',
  'assistant/reports/formats.ts': 'figures of the screens in sentences',
  'assistant/reports/list-reports.ts': 'figures of the screens in sentences',
  'assistant/reports/ticker-reports.ts': 'figures of the screens in sentences',
  'assistant/reports/quote-lines.ts': 'figures of the screens in sentences',
  'portfolio/explain/ui/explanation-popover.tsx': 'terms, which test/e2e/explain.e2e.ts adds up',
  'assistant/ui/masked-text.tsx': 'texts of reports in privacy mode',
  'assistant/ui/report-view.tsx': 'amounts of reports in privacy mode',
  'assistant/ui/result-table.tsx': 'amounts of reports in privacy mode',
  '../ui/shell/gallery/content-samples.tsx': 'samples of the kit',
};

test('reads every component with an amount of money in the walk of the screens', () => {
  const files = [...globSync('src/features/**/*.{ts,tsx}'), ...globSync('src/ui/shell/**/*.{ts,tsx}')]
    .filter((file) => !file.endsWith('.test.ts') && MONEY.test(readFileSync(file, 'utf8')))
    .map((file) => file.replace(/^src\/features\//, '').replace(/^src\//, '../'));

  assert.deepEqual(files.sort(), [...READ, ...Object.keys(NOT_READ)].sort());
});
