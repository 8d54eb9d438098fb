/** Files of screens that the server loads too: the paths of the pages and the formats of amounts and times. */
export const sharedUiFiles: ReadonlySet<string> = new Set([
  'src/ui/shell/route-paths.ts',
  'src/ui/kit/formats.ts',
  'src/ui/kit/format-count.ts',
  'src/ui/kit/format-list.ts',
  'src/ui/kit/date-format.ts',
  'src/ui/kit/format-locale.ts',
  'src/ui/kit/make-once.ts',
  'src/ui/kit/store.ts',
  'src/ui/kit/count-factor-decimals.ts',
  'src/ui/kit/round-parts.ts',
  'src/ui/kit/round-change.ts',
  'src/ui/kit/price-formats.ts',
  'src/ui/kit/new-york-time.ts',
]);
