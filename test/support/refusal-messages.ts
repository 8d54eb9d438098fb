import { globSync, readFileSync } from 'node:fs';
import { type Expression, type Node, parseSync, Visitor } from 'oxc-parser';

/** The message of one place in the code that refuses a count request, with `…` for each value in it. */
export interface RefusalMessage {
  file: string;
  message: string;
}

/**
 * Returns the messages of all calls of `validationError` in the files of a glob pattern.
 * @throws Error for a message that is neither text nor a constant of its file
 */
export function listRefusalMessages(pattern: string): RefusalMessage[] {
  return globSync(pattern)
    .filter((file) => !file.endsWith('.test.ts'))
    .toSorted()
    .flatMap((file) => listMessages(file, readFileSync(file, 'utf8')).map((message) => ({ file, message })));
}

function listMessages(file: string, text: string): string[] {
  const constants = new Map<string, Expression>();
  const found: Expression[] = [];
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init) constants.set(id.name, init);
    },
    CallExpression({ callee, arguments: [message] }) {
      if (callee.type === 'Identifier' && callee.name === 'validationError' && message)
        found.push(message as Expression);
    },
  }).visit(parseSync(file, text).program);
  return found.flatMap((expression) => readTexts(expression, constants));
}

/** Returns each text that an expression can have. */
function readTexts(expression: Node, constants: ReadonlyMap<string, Expression>): string[] {
  switch (expression.type) {
    case 'Literal':
      return [String(expression.value)];
    case 'TemplateLiteral':
      return expression.quasis.reduce<string[]>(
        (texts, { value }, index) => {
          const inserted = readInserted(expression.expressions[index], constants);
          return texts.flatMap((before) => inserted.map((after) => before + value.cooked + after));
        },
        [''],
      );
    case 'BinaryExpression': {
      const right = readTexts(expression.right, constants);
      return readTexts(expression.left, constants).flatMap((left) => right.map((text) => left + text));
    }
    case 'ConditionalExpression':
      return [expression.consequent, expression.alternate].flatMap((part) => readTexts(part, constants));
    case 'Identifier': {
      const constant = constants.get(expression.name);
      return constant ? readTexts(constant, constants) : ['…'];
    }
    default:
      return ['…'];
  }
}

/** Returns the texts that a template inserts: those of a constant, `…` for another value, and none at its end. */
function readInserted(expression: Node | undefined, constants: ReadonlyMap<string, Expression>): string[] {
  if (expression === undefined) return [''];
  return expression.type === 'Identifier' && constants.has(expression.name) ? readTexts(expression, constants) : ['…'];
}
