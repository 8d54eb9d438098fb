import { config } from 'zod';

/** A style sheet that a script adds. The policy forbids `<style>` elements, and allows constructed style sheets. */
class ConstructedStyle extends HTMLElement {
  readonly #sheet = new CSSStyleSheet();

  constructor() {
    super();
    const observer = new MutationObserver(() => this.#sheet.replaceSync(this.textContent));
    observer.observe(this, { childList: true, characterData: true, subtree: true });
  }

  connectedCallback(): void {
    this.hidden = true;
    this.#sheet.replaceSync(this.textContent);
    document.adoptedStyleSheets.push(this.#sheet);
  }

  disconnectedCallback(): void {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
  }
}

customElements.define('constructed-style', ConstructedStyle);

const createElement = document.createElement.bind(document);
document.createElement = (name: string, options?: ElementCreationOptions): HTMLElement =>
  createElement(name === 'style' ? 'constructed-style' : name, options);

// Zod tries to compile functions from text, which the policy forbids and reports.
config({ jitless: true });
