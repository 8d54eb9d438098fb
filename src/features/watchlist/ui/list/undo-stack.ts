import { makeOnce } from '../../../../ui/kit/make-once.ts';
import { session } from '../../../../ui/shell/session/session.ts';

/** What can be taken back, the last one last. */
const changes: (() => void)[] = [];

/** Of a long session the oldest are forgotten. */
const MOST = 50;

/**
 * Remembers how a change is taken back, for Ctrl+Z. Returns the same for a button: whichever comes first does it, once.
 */
export function offerUndo(undo: () => void): () => void {
  clearAtSignOut();
  let done = false;
  const once = (): void => {
    if (done) return;
    done = true;
    const at = changes.indexOf(once);
    if (at !== -1) changes.splice(at, 1);
    undo();
  };
  changes.push(once);
  if (changes.length > MOST) changes.shift();
  return once;
}

/** Takes the last change back; false where there is none. */
export function undoLast(): boolean {
  const last = changes.at(-1);
  last?.();
  return last !== undefined;
}

/** What one member did is not taken back by another. */
const clearAtSignOut = makeOnce(() => {
  session.state.subscribe(() => {
    if (session.state.get().status === 'signed-out') changes.length = 0;
  });
});
