import type { Page } from '@playwright/test';

/**
 * Returns descriptions of clipped or overlapping content: texts that must be shown in full (such as symbols),
 * overlapping texts and pictures, and a page that scrolls sideways. Compares boxes as painted, after clipping. In an
 * open modal dialog only its own content counts.
 */
export async function findClippedTexts(page: Page, symbolsShownInFull: readonly string[]): Promise<string[]> {
  return page.evaluate((symbols) => {
    interface PaintedBox {
      /** A text that is shortened with an ellipsis has two boxes. */
      node: Node;
      what: string;
      left: number;
      right: number;
      top: number;
      bottom: number;
    }
    const expected = new Set(symbols);
    const faults: string[] = [];
    const scope = document.querySelector('dialog[open]') ?? document.body;
    const clipsByElement = new Map<Element, readonly DOMRect[]>();
    /** Returns the rectangles that clip an element's content. */
    const getClipRects = (element: Element | null): readonly DOMRect[] => {
      if (!element || element === document.documentElement) return [];
      const cached = clipsByElement.get(element);
      if (cached) return cached;
      const { overflowX, position } = getComputedStyle(element);
      const clips = position === 'fixed' ? [] : [...getClipRects(element.parentElement)];
      if (overflowX !== 'visible') clips.push(element.getBoundingClientRect());
      clipsByElement.set(element, clips);
      return clips;
    };
    const painted: PaintedBox[] = [];
    const addBox = (node: Node, description: string, box: DOMRect, element: Element): void => {
      if (box.width < 2 || box.height < 2) return;
      const clips = getClipRects(element);
      const paintedBox: PaintedBox = {
        node,
        what: description,
        left: Math.max(box.left, ...clips.map(({ left }) => left)),
        right: Math.min(box.right, ...clips.map(({ right }) => right)),
        top: Math.max(box.top, ...clips.map(({ top }) => top)),
        bottom: Math.min(box.bottom, ...clips.map(({ bottom }) => bottom)),
      };
      // This text is scrolled out of view, or only for screen readers.
      if (paintedBox.bottom - paintedBox.top < 2 || paintedBox.right - paintedBox.left < 2) return;
      painted.push(paintedBox);
      const visibleArea = { left: Math.max(0, paintedBox.left), right: Math.min(window.innerWidth, paintedBox.right) };
      if (expected.has(description) && (visibleArea.left > box.left + 0.5 || visibleArea.right < box.right - 0.5))
        faults.push(`cut: ${description}`);
    };
    const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement;
      if (!element?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      // Content scrolls below the tab bar of phones.
      if (element.closest('nav.fixed')) continue;
      if (node instanceof Element) {
        const isDrawn = /^(img|svg)$/.test(node.tagName) && !node.closest('[aria-hidden="true"].absolute');
        if (isDrawn)
          addBox(
            node,
            `a picture (${node.parentElement?.textContent.trim().slice(0, 20)})`,
            node.getBoundingClientRect(),
            node,
          );
      } else if (node.textContent?.trim() && !element.closest('option, svg')) {
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const line of range.getClientRects()) addBox(node, node.textContent.trim(), line, element);
      }
    }
    const overlap = 2;
    painted.forEach((a, index) => {
      for (const b of painted.slice(index + 1)) {
        const overlapWidth = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        // Lines of text have some space above and below their letters.
        const overlapHeight = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (a.node !== b.node && overlapWidth > overlap && overlapHeight > 2 * overlap)
          faults.push(`overlap: “${a.what}” and “${b.what}”`);
      }
    });
    const overflowWidth = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (overflowWidth > 0) faults.push(`the page scrolls sideways by ${overflowWidth} px`);
    return [...new Set(faults)];
  }, symbolsShownInFull);
}
