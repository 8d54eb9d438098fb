/** Select-list entries that return times in milliseconds, as the provider's wire has them. */
export function milliseconds(...columns: readonly string[]): string {
  return columns.map((column) => `floor(extract(epoch from ${column}) * 1000)::float8 as ${column}`).join(', ');
}
