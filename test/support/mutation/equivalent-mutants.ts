const DENSE = 'Renumbering a list whose positions are 1..n already changes no row.';
const OWN_ROWS =
  "The view's condition hides nothing but the member's own rows, and row-level security comes before any other.";

/** Mutants whose behavior is the same, with the reason. */
export const equivalentMutants: Readonly<Record<string, string>> = {
  'function public.add_watchlist_item, line 17: > -> >=': DENSE,
  'function public.add_watchlist_items, line 10: > -> >=': DENSE,
  'function public.renumber_watchlist_positions, line 8: > -> >=': DENSE,
  'function public.renumber_watchlist_positions, line 12: w.position <> ranked.new_position -> true':
    'Writes the same position again.',
  'function public.get_assistant_usage, line 5: > -> >=': 'No statement runs at the very microsecond of an expiry.',
  'function public.move_watchlist_item, line 22: < -> <=': 'The statement runs only if the two positions differ.',
  'view assistant.accounts, barrier off': OWN_ROWS,
  'view assistant.held_symbols, barrier off': OWN_ROWS,
  'view assistant.holdings, barrier off': OWN_ROWS,
  'view assistant.locked_symbols, barrier off': OWN_ROWS,
  'view assistant.net_worth, barrier off': OWN_ROWS,
  'view assistant.watchlist_items, barrier off': OWN_ROWS,
  'view assistant.securities, barrier off': 'The view has no condition.',
  'view assistant.prices, barrier off':
    "Row-level security of the catalog puts a member's condition after the comparison of symbols, which is leakproof.",
};
