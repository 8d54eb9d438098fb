import assert from 'node:assert/strict';
import { test } from 'vitest';
import { validateBrowserEvent } from './validate-browser-event.ts';

test('accepts only browser events', () => {
  for (const event of ['watchlist_viewed', 'dashboard_news_article_clicked', 'plans_viewed'])
    assert.equal(validateBrowserEvent(event, {}), undefined, event);
  for (const source of ['dashboard_watchlist_limit', 'dashboard_watchlist_locked'])
    assert.equal(validateBrowserEvent('upgrade_cta_clicked', { source }), undefined, source);
  for (const source of ['watchlist_limit', 'toString', '', undefined, 7])
    assert.equal(validateBrowserEvent('upgrade_cta_clicked', { source })?.path, 'properties.source', String(source));
  for (const event of ['watchlist_symbol_added', 'watchlist_imported', 'list_seen', 'constructor'])
    assert.equal(validateBrowserEvent(event, {})?.path, 'event', event);
});
