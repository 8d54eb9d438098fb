import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';
import { session } from '../../../../ui/shell/session/session.ts';

/** Import that may still be undone. `time` is in ms since 1970. */
export interface LastImport {
  id: string;
  time: number;
}

/** The browser keeps the id, because the service has no request for the last import. */
const getKey = (): string | null => {
  const state = session.state.get();
  return state.status === 'signed-in' ? `tally.last-import.1.${state.member.userId}` : null;
};

/** Returns the member's last import in this browser, or null if there is none to undo. */
export function readLastImport(): LastImport | null {
  const key = getKey();
  const [id, time] = (key === null ? null : readStored(key))?.split(' ') ?? [];
  return id && Number.isFinite(Number(time)) ? { id, time: Number(time) } : null;
}

/** Remembers an import for its undo. Null forgets it. */
export function rememberImport(id: string | null): void {
  const key = getKey();
  if (key !== null) writeStored(key, id === null ? null : `${id} ${Date.now()}`);
}
