import type { EntryState } from './entry-state.ts';
import { type Wording, wordingOf } from './wording.ts';

/** Shows states in `main`, one at a time; `onPress` hears of each press of the button by a person. */
export function createScreen(onPress: () => void) {
  const main = document.querySelector('main')!;
  const status = document.querySelector('[role=status]')!;
  let first = true;
  let timer: ReturnType<typeof setInterval> | undefined;

  function show(state: EntryState): void {
    clearInterval(timer);
    const words = wordingOf(state);
    const heading = element('h1', words.title);
    heading.tabIndex = -1;
    const button = words.button === undefined ? undefined : pressable(words.button);
    const actions = [button, words.link && leading(words.link)].filter((part) => part !== undefined);
    main.replaceChildren(heading, ...paragraphs(words), ...box(actions), ...optional(words.small, 'small'));
    main.dataset['state'] = state.is;
    document.title = words.title;
    status.textContent = state.is === 'opening' || state.is === 'opened' ? words.title : '';
    if (state.is === 'opening' && button) {
      // The button that was pressed keeps the focus while it works.
      button.ariaDisabled = button.ariaBusy = 'true';
      button.focus();
    } else if (!first) heading.focus();
    // On arrival a reader begins at the top without it.
    first = false;
    if (state.is === 'busy' && button) wait(button, state.seconds);
  }

  /** Counts down on the button, which cannot be pressed until then. */
  function wait(button: HTMLButtonElement, seconds: number): void {
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

  function pressable(text: string): HTMLButtonElement {
    const button = element('button', text);
    button.type = 'button';
    button.className = 'action';
    // A click that a script makes is not a person's.
    button.addEventListener('click', (event) => {
      if (event.isTrusted && !button.hasAttribute('aria-disabled')) onPress();
    });
    return button;
  }

  /** Says something without moving the reader. */
  const say = (text: string): void => void (status.textContent = text);

  return { show, say };
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string,
  className = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}

function leading({ text, to }: { text: string; to: string }): HTMLAnchorElement {
  const link = element('a', text, 'action');
  link.href = to;
  return link;
}

function paragraphs({ lead, points = [], note }: Wording): HTMLElement[] {
  return [
    element('p', lead, 'lead'),
    ...(points.length > 1 ? [listOf(points)] : points.map((point) => element('p', point))),
    ...optional(note, 'note'),
  ];
}

const optional = (text: string | undefined, className: string): HTMLElement[] =>
  text === undefined ? [] : [element('p', text, className)];

function box(actions: readonly HTMLElement[]): HTMLElement[] {
  if (actions.length === 0) return [];
  const made = element('div', '', 'actions');
  made.append(...actions);
  return [made];
}

function listOf(points: readonly string[]): HTMLElement {
  const list = document.createElement('ul');
  list.append(...points.map((point) => element('li', point)));
  return list;
}
