/**
 * Returns whether a key belongs to an input method, which uses Enter to choose a character. Safari ends the composition
 * before it sends the key, and marks the key by its code.
 */
export const isComposing = ({ isComposing: composes, keyCode }: KeyboardEvent): boolean => composes || keyCode === 229;
