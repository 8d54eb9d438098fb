export { countConcatenated, countContent } from './content.ts';
export type { TextFamily } from './families.ts';
