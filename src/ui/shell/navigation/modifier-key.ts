const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Name of the key of shortcuts on this device. */
export const MODIFIER_KEY = isApple ? '⌘' : 'Ctrl';
