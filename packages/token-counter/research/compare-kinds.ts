/**
 * Compares the counter with the native package on new texts of forty kinds: `npx node
 * packages/token-counter/research/compare-kinds.ts [--native <folder>] [texts] [seed]` (default 20,000). A difference
 * is a gap of the package if the measured vocabulary, without pieces from recorded counts, agrees with the package.
 * Other differences are listed and cause exit code 1.
 */
import { countContent } from '../src/tokenizer/index.ts';
import { seeded } from '../../../test/support/seeded.ts';
import { loneSurrogates, createMeasuredCounter } from './compare-native/explain.ts';
import { generatorByKind } from './compare-native/kinds.ts';
import { loadNativePackage } from './compare-native/native-package.ts';

const args = process.argv.slice(2);
const native = loadNativePackage(args);
const [texts = 20_000, seed = 17] = args.map(Number);
const names = Object.keys(generatorByKind);
const textsPerKind = Math.ceil(texts / names.length);
const random = seeded(seed);
const families = (['v3', 'v4.7'] as const).map((family) => ({ family, measured: createMeasuredCounter(family) }));
let unexplained = 0;
const rows: string[] = [];
const differences: string[] = [];
for (const [name, make] of Object.entries(generatorByKind)) {
  const cells = families.map(() => ({ equal: 0, lacks: 0 }));
  for (let count = 0; count < textsPerKind; count++) {
    const text = make(random);
    families.forEach(({ family, measured }, index) => {
      const ourCount = countContent(text, family);
      const nativeCount = native(text, family);
      const cell = cells[index]!;
      if (ourCount === nativeCount) cell.equal++;
      else if (measured(text) === nativeCount || loneSurrogates.test(text)) cell.lacks++;
      else {
        unexplained++;
        differences.push(
          `${family} ${name}: ours ${ourCount}, package ${nativeCount}: ${JSON.stringify(text.slice(0, 200))}`,
        );
      }
    });
  }
  rows.push(`| ${name} | ${textsPerKind} | ${cells.map(({ equal, lacks }) => `${equal} | ${lacks}`).join(' | ')} |`);
}
console.log(
  `| kind | texts | v3 equal | the package lacks | v4.7 equal | the package lacks |\n|---|---|---|---|---|---|`,
);
for (const row of rows) console.log(row);
console.log(
  `\n${names.length} kinds, ${textsPerKind * names.length} texts, seed ${seed}: ${unexplained} differences unexplained`,
);
for (const line of differences.slice(0, 40)) console.log(line);
process.exitCode = unexplained === 0 ? 0 : 1;
