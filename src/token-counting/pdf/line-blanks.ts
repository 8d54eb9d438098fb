import { type getDocumentProxy, getResolvedPDFJS } from 'unpdf';

type PdfPageProxy = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;

/** One run of text of a page, as pdf.js gives it: without the blanks that end a line. */
interface TextRun {
  str: string;
  hasEOL: boolean;
}

/** Characters that pdf.js folds or leaves out, so that the drawn text and the runs are compared without them. */
const FOLDED = /\s/u;

/**
 * For each run that ends a line, whether a blank is drawn behind its last word: the service's reader keeps it, pdf.js
 * drops it (3 recorded files of 8 have such blanks). Where the drawn text cannot be followed, no blank is taken to be
 * there.
 */
export async function blanksAtLineEnds(page: PdfPageProxy, runs: readonly TextRun[]): Promise<readonly boolean[]> {
  const drawn = await drawnText(page);
  let at = 0;
  return runs.map(({ str, hasEOL }) => {
    for (const character of str.normalize('NFKC')) {
      if (FOLDED.test(character)) continue;
      while (FOLDED.test(drawn[at] ?? '')) at++;
      const lost = drawn[at] !== character;
      if (lost) at = drawn.length;
      else at++;
    }
    return hasEOL && drawn[at] === ' ';
  });
}

/** Every character that the page draws, in drawing order. */
async function drawnText(page: PdfPageProxy): Promise<readonly string[]> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  return fnArray.flatMap((operation, index) => {
    if (operation !== OPS.showText) return [];
    const [glyphs] = argsArray[index] as [readonly ({ unicode: string } | number)[]];
    return glyphs.flatMap((glyph) => (typeof glyph === 'number' ? [] : [...glyph.unicode.normalize('NFKC')]));
  });
}
