import type { Locator } from '@playwright/test';

/** The figures of one row or part of a screen, in the order of the document. */
export interface ShownRow {
  /** Names of the part, the list and the row. */
  path: string;
  figures: string[];
}

export const joinPath = (...names: readonly string[]): string => names.filter((name) => name !== '').join(' › ');

/**
 * Reads every number of a part of the page in one call, also of closed parts. Left out are dates, times, names of rows,
 * links and fields, and what screen readers do not read.
 * @param names Texts that are names, whose digits are no figures.
 * @param ignored Names of the parts within it that are not read.
 */
export async function readFigures(
  part: Locator,
  names: readonly string[] = [],
  ignored: readonly string[] = [],
): Promise<ShownRow[]> {
  const rows = await part.evaluate(
    (root, [skippedParts, skippedNames]) => {
      const result: { names: string[]; texts: string[] }[] = [];
      const skippedTags = new Set([
        'SCRIPT',
        'STYLE',
        'IMG',
        'SELECT',
        'FIELDSET',
        'INPUT',
        'TEXTAREA',
        'A',
        'TIME',
        'SVG',
      ]);
      const isSkipped = (element: Element): boolean =>
        skippedTags.has(element.tagName.toUpperCase()) ||
        /^H[1-3]$/.test(element.tagName) ||
        element.getAttribute('aria-hidden') === 'true' ||
        ['columnheader', 'slider'].includes(element.getAttribute('role') ?? '');
      const getText = (element: Element): string =>
        element.getAttribute('aria-hidden') === 'true'
          ? ''
          : [...element.childNodes]
              .map((node) => (node.nodeType === 3 ? node.textContent! : ''))
              .join('')
              .trim();
      const getLabel = (element: Element): string => {
        const id = element.getAttribute('aria-labelledby');
        return (element.getAttribute('aria-label') ?? (id && document.getElementById(id)?.textContent) ?? '').trim();
      };
      /** A list of cards is no part of its own. */
      const isLayout = (element: Element): boolean =>
        ['UL', 'LI'].includes(element.tagName) && element.querySelector('section') !== null;
      const isContainer = (element: Element): boolean =>
        !isLayout(element) &&
        (['SECTION', 'DIALOG', 'UL', 'TABLE'].includes(element.tagName) ||
          ['dialog', 'list', 'table', 'region'].includes(element.getAttribute('role') ?? ''));
      const isRow = (element: Element): boolean =>
        !isLayout(element) &&
        (['LI', 'TR'].includes(element.tagName) ||
          ['listitem', 'row'].includes(element.getAttribute('role') ?? '') ||
          (element.tagName === 'DIV' && element.parentElement?.tagName === 'DL'));
      const isHeading = (row: Element): boolean =>
        [...row.querySelectorAll('[role=rowheader] > p')].some((line) =>
          /^\d[\d,]* holdings?(, |$)/.test(line.textContent),
        );
      /** Returns the element that names a row: its link, its term, or its first text unless that is a figure. */
      const findName = (row: Element): Element | null => {
        const named = row.querySelector('a, dt');
        if (named) return named;
        const first = [...row.querySelectorAll('p, span, td, th')].find(
          (leaf) => !leaf.closest('[aria-hidden=true], button.explained') && getText(leaf) !== '',
        );
        const isName =
          first && (!/\d/.test(getText(first)) || /font-semibold|truncate|wrap-anywhere/.test(first.className));
        return isName ? first : null;
      };
      const visit = (element: Element, names: string[], texts: string[]): void => {
        for (const node of element.childNodes) {
          if (node.nodeType === 3 && !skippedNames.includes(node.textContent!)) {
            // A sign may be a text of its own.
            if (node.previousSibling?.nodeType === 3 && texts.length > 0) texts.push(texts.pop()! + node.textContent!);
            else texts.push(node.textContent!);
          }
          if (!(node instanceof Element) || isSkipped(node)) continue;
          if (isContainer(node)) {
            const label = getLabel(node);
            if (!skippedParts.includes(label)) enter(node, [...names, label]);
          } else if (node.getAttribute('role') === 'rowgroup') {
            const heading = [...node.children].find(isHeading);
            const label = heading ? (heading.querySelector('[role=rowheader] > p')?.textContent ?? '') : '';
            enter(node, [...names, label]);
          } else if (isRow(node)) {
            const name = node.getAttribute('role') === 'row' && isHeading(node) ? null : findName(node);
            const heading = node.querySelector('[role=rowheader] > p');
            enter(node, [...names, name ? getText(name) : ''], name ?? (isHeading(node) ? heading : null));
          } else if (node !== nameElement) visit(node, names, texts);
        }
      };
      let nameElement: Element | null = null;
      const enter = (element: Element, names: string[], name: Element | null = null): void => {
        const texts: string[] = [];
        result.push({ names, texts });
        const outer = nameElement;
        nameElement = name;
        visit(element, names, texts);
        nameElement = outer;
      };
      enter(root, isContainer(root) ? [getLabel(root)] : []);
      return result;
    },
    [ignored, names] as const,
  );
  return rows
    .map(({ names, texts }) => ({ path: joinPath(...names), figures: texts.flatMap(findFigures) }))
    .filter(({ figures }) => figures.length > 0);
}

/** Dates, times of day and ages, which are no figures. */
const TIMES = [
  /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}(?:, \d{4})?/g,
  /\b\d{1,2}:\d{2}\s?[AP]M(?:\sET)?/g,
  /\b\d+ (?:min|h|d)\b/g,
  /\bpast \d months\b/g,
];

const FIGURE = /[+−]?(?:[A-Z]{0,3}[$€£¥₩]|[A-Z]{3}\u00A0)?\d[\d,]*(?:\.\d+)?%?/g;

/** Returns the figures of a text: amounts, percentages and other numbers. */
export function findFigures(text: string): string[] {
  const rest = TIMES.reduce((shortened, pattern) => shortened.replaceAll(pattern, ' '), text);
  return rest.match(FIGURE) ?? [];
}
