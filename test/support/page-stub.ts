import { createRoot } from 'react-dom/client';

// A browser stub for tests of screen logic below the browser, which draws nothing. Import it before that logic, but
// after React's renderer, which would otherwise detect a browser.

class SilentChannel extends EventTarget {
  postMessage(): void {}
}

const page = new EventTarget();
const document = Object.assign(new EventTarget(), { nodeType: 9, activeElement: null, hidden: false });

Object.assign(globalThis, {
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
  document: Object.assign(document, { defaultView: globalThis }),
  window: Object.assign(globalThis, {
    location: new URL('http://127.0.0.1/dashboard'),
    HTMLIFrameElement: EventTarget,
  }),
  // Node's BroadcastChannel keeps a process alive.
  BroadcastChannel: SilentChannel,
});

/** Creates a React root for components that draw nothing. */
export const createStubRoot = (): ReturnType<typeof createRoot> =>
  createRoot(
    Object.assign(new EventTarget(), {
      nodeType: 1,
      nodeName: 'DIV',
      tagName: 'DIV',
      namespaceURI: 'http://www.w3.org/1999/xhtml',
      ownerDocument: document,
      textContent: '',
    }) as unknown as Element,
  );
