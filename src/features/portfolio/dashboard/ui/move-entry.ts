/** Returns the list with one entry moved by `offset`, limited to the ends. */
export function moveEntry<Entry>(entries: readonly Entry[], entry: Entry, offset: number): Entry[] {
  const from = entries.indexOf(entry);
  const rest = entries.toSpliced(from, 1);
  return from === -1 ? [...entries] : rest.toSpliced(Math.max(0, Math.min(rest.length, from + offset)), 0, entry);
}
