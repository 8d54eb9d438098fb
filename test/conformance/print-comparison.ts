/** Compares an expected with an actual value. */
export type Comparison<Bench> = (bench: Bench) => Promise<[expected: unknown, actual: unknown]>;

/** Runs comparisons in order, prints a line for each, and returns the number of differences. */
export async function printComparison<Bench>(
  comparisons: readonly [name: string, compare: Comparison<Bench>][],
  bench: Bench,
): Promise<number> {
  let differing = 0;
  for (const [name, compare] of comparisons) {
    const [expected, actual] = await compare(bench).catch((error: unknown) => ['an outcome', String(error)]);
    const isSame = JSON.stringify(expected) === JSON.stringify(actual);
    if (!isSame) differing += 1;
    const both = `\n  expected ${JSON.stringify(expected)}\n  library  ${JSON.stringify(actual)}`;
    console.log(`${isSame ? 'same' : 'DIFFERS'}  ${name}${isSame ? '' : both}`);
  }
  return differing;
}
