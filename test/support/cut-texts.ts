import type { Page } from '@playwright/test';

/**
 * What is cut or overprinted on a page as it stands, in words: texts that must be whole (`whole`, such as symbols) and
 * are not, texts and pictures that lie over one another, and a page that scrolls sideways. Boxes are compared as they
 * are painted, clipped by whatever clips them. Of an open modal dialog only its own content counts.
 */
export async function findCutTexts(page: Page, whole: readonly string[]): Promise<string[]> {
  return page.evaluate((symbols) => {
    interface Painted {
      /** A text that is shortened with dots has two boxes of its own. */
      node: Node;
      what: string;
      left: number;
      right: number;
      top: number;
      bottom: number;
    }
    const wanted = new Set(symbols);
    const faults: string[] = [];
    const scope = document.querySelector('dialog[open]') ?? document.body;
    const known = new Map<Element, readonly DOMRect[]>();
    /** What clips an element's content. */
    const clipsOf = (element: Element | null): readonly DOMRect[] => {
      if (!element || element === document.documentElement) return [];
      const before = known.get(element);
      if (before) return before;
      const { overflowX, position } = getComputedStyle(element);
      const clips = position === 'fixed' ? [] : [...clipsOf(element.parentElement)];
      if (overflowX !== 'visible') clips.push(element.getBoundingClientRect());
      known.set(element, clips);
      return clips;
    };
    const painted: Painted[] = [];
    const add = (node: Node, what: string, box: DOMRect, element: Element): void => {
      if (box.width < 2 || box.height < 2) return;
      const clips = clipsOf(element);
      const part: Painted = {
        node,
        what,
        left: Math.max(box.left, ...clips.map(({ left }) => left)),
        right: Math.min(box.right, ...clips.map(({ right }) => right)),
        top: Math.max(box.top, ...clips.map(({ top }) => top)),
        bottom: Math.min(box.bottom, ...clips.map(({ bottom }) => bottom)),
      };
      // Scrolled away, or for screen readers alone.
      if (part.bottom - part.top < 2 || part.right - part.left < 2) return;
      painted.push(part);
      const room = { left: Math.max(0, part.left), right: Math.min(window.innerWidth, part.right) };
      if (wanted.has(what) && (room.left > box.left + 0.5 || room.right < box.right - 0.5)) faults.push(`cut: ${what}`);
    };
    const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement;
      if (!element?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (node instanceof Element) {
        const drawn = /^(img|svg)$/.test(node.tagName) && !node.closest('[aria-hidden="true"].absolute');
        if (drawn)
          add(
            node,
            `a picture (${node.parentElement?.textContent.trim().slice(0, 20)})`,
            node.getBoundingClientRect(),
            node,
          );
      } else if (node.textContent?.trim() && !element.closest('option, svg')) {
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const line of range.getClientRects()) add(node, node.textContent.trim(), line, element);
      }
    }
    const overlap = 2;
    painted.forEach((a, index) => {
      for (const b of painted.slice(index + 1)) {
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        // Lines of text have some air above and below their letters.
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (a.node !== b.node && across > overlap && down > 2 * overlap)
          faults.push(`overlap: “${a.what}” and “${b.what}”`);
      }
    });
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (wide > 0) faults.push(`the page scrolls sideways by ${wide} px`);
    return [...new Set(faults)];
  }, whole);
}
