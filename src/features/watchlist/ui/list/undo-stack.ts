import { makeOnce } from '../../../../ui/kit/make-once.ts';
import { session } from '../../../../ui/shell/session/session.ts';

/** A change that can be taken back, once: by Ctrl+Z, or by a button, whichever comes first. */
export interface UndoEntry {
  run: () => void;
  /** Puts it on the stack of Ctrl+Z, if it has not been taken back yet. */
  push: () => void;
}

/** What Ctrl+Z takes back, the last change last. */
const stack: UndoEntry[] = [];
const MAX_ENTRIES = 50;

/** What takes a change back, not on the stack yet. */
export function createUndo(undo: () => void): UndoEntry {
  let isDone = false;
  const entry: UndoEntry = {
    run() {
      if (isDone) return;
      isDone = true;
      const index = stack.indexOf(entry);
      if (index !== -1) stack.splice(index, 1);
      undo();
    },
    push() {
      if (isDone) return;
      clearAtSignOut();
      stack.push(entry);
      if (stack.length > MAX_ENTRIES) stack.shift();
    },
  };
  return entry;
}

/** Puts what takes a change back on the stack; returns the same for a button. */
export function pushUndo(undo: () => void): () => void {
  const entry = createUndo(undo);
  entry.push();
  return entry.run;
}

/** Takes the last change back; false where there is none. */
export function undoLast(): boolean {
  const last = stack.at(-1);
  last?.run();
  return last !== undefined;
}

/** What one member did is not taken back by another. */
const clearAtSignOut = makeOnce(() => {
  session.state.subscribe(() => {
    if (session.state.get().status === 'signed-out') stack.length = 0;
  });
});
