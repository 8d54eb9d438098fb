import type { EntryState } from './entry-state.ts';
import { type PageMessages, getMessages } from './messages.ts';

/**
 * Creates the view, which shows one state at a time in `main`. `onPress` is called for each press of the button by a
 * person.
 */
export function createView(onPress: () => void) {
  const main = document.querySelector('main')!;
  const status = document.querySelector('[role=status]')!;
  let isFirst = true;
  let timer: ReturnType<typeof setInterval> | undefined;

  function show(state: EntryState): void {
    clearInterval(timer);
    const messages = getMessages(state);
    const heading = createElement('h1', messages.title);
    heading.tabIndex = -1;
    const button = messages.button === undefined ? undefined : createButton(messages.button);
    const actions = [button, messages.link && createLink(messages.link)].filter((part) => part !== undefined);
    main.replaceChildren(
      heading,
      ...createParagraphs(messages),
      ...createActions(actions),
      ...createOptional(messages.small, 'small'),
    );
    main.dataset['state'] = state.kind;
    document.title = messages.title;
    status.textContent = state.kind === 'opening' || state.kind === 'opened' ? messages.title : '';
    if (state.kind === 'opening' && button) {
      // The pressed button keeps the focus during the work.
      button.ariaDisabled = 'true';
      button.ariaBusy = 'true';
      button.focus();
    } else if (!isFirst) heading.focus();
    // Without focus on the first state, a screen reader starts at the top of the page.
    isFirst = false;
    if (state.kind === 'busy' && button) countDown(button, state.seconds);
  }

  /** Shows a countdown on the button and disables it until the end. */
  function countDown(button: HTMLButtonElement, seconds: number): void {
    const name = button.textContent;
    const until = performance.now() + seconds * 1000;
    const tick = (): void => {
      const left = Math.ceil((until - performance.now()) / 1000);
      button.textContent = left > 0 ? `${name} in ${left} s` : name;
      button.ariaDisabled = left > 0 ? 'true' : null;
      if (left > 0) return;
      clearInterval(timer);
      status.textContent = 'You can try again now.';
    };
    timer = setInterval(tick, 1000);
    tick();
  }

  function createButton(text: string): HTMLButtonElement {
    const button = createElement('button', text);
    button.type = 'button';
    button.className = 'action';
    // Ignore clicks by scripts.
    button.addEventListener('click', (event) => {
      if (event.isTrusted && !button.hasAttribute('aria-disabled')) onPress();
    });
    return button;
  }

  /** Announces a text without a focus change. */
  const announce = (text: string): void => {
    status.textContent = text;
  };

  return { show, announce };
}

function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string,
  className = '',
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  created.textContent = text;
  if (className !== '') created.className = className;
  return created;
}

function createLink({ text, to }: { text: string; to: string }): HTMLAnchorElement {
  const link = createElement('a', text, 'action');
  link.href = to;
  return link;
}

function createParagraphs({ lead, points = [], note }: PageMessages): HTMLElement[] {
  return [
    createElement('p', lead, 'lead'),
    ...(points.length > 1 ? [createList(points)] : points.map((point) => createElement('p', point))),
    ...createOptional(note, 'note'),
  ];
}

const createOptional = (text: string | undefined, className: string): HTMLElement[] =>
  text === undefined ? [] : [createElement('p', text, className)];

function createActions(actions: readonly HTMLElement[]): HTMLElement[] {
  if (actions.length === 0) return [];
  const created = createElement('div', '', 'actions');
  created.append(...actions);
  return [created];
}

function createList(points: readonly string[]): HTMLElement {
  const list = document.createElement('ul');
  list.append(...points.map((point) => createElement('li', point)));
  return list;
}
