import { makeOnce } from '../../../../ui/kit/make-once.ts';
import { session } from '../../../../ui/shell/session/session.ts';

/** A change that can be undone once, by Ctrl+Z or by a button. */
export interface UndoEntry {
  run: () => void;
  /** Pushes the change on the undo stack, unless it was undone already. */
  push: () => void;
}

/** Undo stack, last change last. */
const stack: UndoEntry[] = [];
const MAX_ENTRIES = 50;

/** Creates an undo entry that is not yet on the stack. */
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

/** Pushes a change on the undo stack. Returns its undo function for a button. */
export function pushUndo(undo: () => void): () => void {
  const entry = createUndo(undo);
  entry.push();
  return entry.run;
}

/** Undoes the last change. Returns false if the stack is empty. */
export function undoLast(): boolean {
  const last = stack.at(-1);
  last?.run();
  return last !== undefined;
}

/** Clears the stack at sign-out, because one member's changes must not be undone by another. */
const clearAtSignOut = makeOnce(() => {
  session.state.subscribe(() => {
    if (session.state.get().status === 'signed-out') stack.length = 0;
  });
});
