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
portfolio/dashboard/ui/cards/holdings-card.tsx
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
portfolio/holdings/ui/totals-changes.tsx
securities/ui/security-position.tsx
connections/ui/connection-card.tsx
`
  .trim()
  .split('\n');

/** Components with other amounts, or with those of read ones once more. */
const NOT_READ: Readonly<Record<string, string>> = {
  'portfolio/holdings/ui/holding-dialog.tsx': 'values of the panel beside the fields that change them',
  'portfolio/import/ui/column-fields.tsx': 'cells of a file',
  'portfolio/import/ui/import-preview.tsx': 'amounts of a file',
  'securities/ui/list-key-figures.ts': 'figures of a security',
  'securities/ui/price-chart.tsx': 'prices of a security',
  'securities/ui/close-table.tsx': 'prices of a security',
  'securities/ui/security-details.tsx': 'prices of a security',
  'token-api/ui/playground/counts-panel.tsx': 'cost of a request',
  'watchlist/ui/page/watch-table.tsx': 'prices of securities',
  'watchlist/ui/card/watch-row.tsx': 'prices of securities',
  'watchlist/ui/card/row-label.ts': 'prices of securities',
  'watchlist/ui/list/second-line.ts': 'prices of securities',
  'connections/ui/merge-dialog.tsx': 'amounts of two accounts before they become one',
  'billing/ui/plan-card.tsx': 'prices of plans',
  'billing/ui/visitor-plans.tsx': 'prices of plans',
  'billing/ui/change-dialog.tsx': 'prices of plans',
  'billing/ui/billing.tsx': 'prices of plans',
  'billing/ui/plan-messages.ts': 'prices of plans',
  'assistant/reports/list-reports.ts': 'figures of the screens in sentences',
  'assistant/reports/ticker-reports.ts': 'figures of the screens in sentences',
  'assistant/reports/quote-lines.ts': 'figures of the screens in sentences',
  '../ui/shell/explain/explanation-popover.tsx': 'terms, which test/e2e/explain.e2e.ts adds up',
  'assistant/ui/masked-text.tsx': 'texts of reports in privacy mode',
  '../ui/shell/gallery/content-samples.tsx': 'samples of the kit',
  '../ui/shell/market/amount-change.tsx': 'part of components',
  '../ui/shell/market/price-formats.ts': 'part of components',
};

test('reads every component with an amount of money in the walk of the screens', () => {
  const files = [...globSync('src/features/**/*.{ts,tsx}'), ...globSync('src/ui/shell/**/*.{ts,tsx}')]
    .filter((file) => !file.endsWith('.test.ts') && MONEY.test(readFileSync(file, 'utf8')))
    .map((file) => file.replace(/^src\/features\//, '').replace(/^src\//, '../'));

  assert.deepEqual(files.sort(), [...READ, ...Object.keys(NOT_READ)].sort());
});
