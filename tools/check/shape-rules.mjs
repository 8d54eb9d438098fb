/** Lint rules for shapes that the linter has no rule of its own for. `.oxlintrc.json` turns them on. */

/** Reports `const [a, b] = [x, y]`, which hides two declarations in one. */
const noPackedDeclaration = {
  create: (context) => ({
    VariableDeclarator(node) {
      if (node.id.type !== 'ArrayPattern' || node.init?.type !== 'ArrayExpression') return;
      context.report({ node, message: 'Declare each variable in a statement of its own.' });
    },
  }),
};

/** Reports `return void x` and `() => void x`. A block with a statement says the same plainly. */
const noVoidResult = {
  create: (context) => ({
    ReturnStatement(node) {
      if (isVoid(node.argument)) context.report({ node, message: 'Write the call and the return as two statements.' });
    },
    ArrowFunctionExpression(node) {
      if (isVoid(node.body)) context.report({ node: node.body, message: 'Write a block instead of `void`.' });
    },
  }),
};

/** Reports an assignment that is the body of an arrow function, an operand or an argument. */
const noAssignmentInExpression = {
  create: (context) => ({
    AssignmentExpression(node) {
      const { parent } = node;
      if (parent.type === 'ExpressionStatement' || parent.type === 'ForStatement') return;
      if (parent.type === 'SequenceExpression' && parent.parent.type === 'ForStatement') return;
      if (parent.type === 'ChainExpression' && parent.parent.type === 'ExpressionStatement') return;
      context.report({ node, message: 'Assign in a statement of its own.' });
    },
  }),
};

/** Reports `for (;;)`. A `while` loop names its condition. */
const noEndlessFor = {
  create: (context) => ({
    ForStatement(node) {
      if (!node.test) context.report({ node, message: 'Use `while` with the condition that ends the loop.' });
    },
  }),
};

/** Reports a format of numbers or dates outside the module of all of them, which would not follow the chosen locale. */
const noOwnFormat = {
  create: (context) => {
    const message = 'Use a function of src/ui/kit/formats.ts, which follows the number format that the reader chose.';
    return {
      NewExpression({ callee }) {
        if (callee.object?.name === 'Intl' && /^(Number|DateTime)Format$/.test(callee.property.name))
          context.report({ node: callee, message });
      },
      CallExpression({ callee }) {
        if (/^(toLocale(Date|Time)?String|toFixed)$/.test(callee.property?.name ?? ''))
          context.report({ node: callee, message });
      },
    };
  },
};

const isVoid = (node) => node?.type === 'UnaryExpression' && node.operator === 'void';

export default {
  meta: { name: 'shapes' },
  rules: {
    'no-packed-declaration': noPackedDeclaration,
    'no-void-result': noVoidResult,
    'no-assignment-in-expression': noAssignmentInExpression,
    'no-endless-for': noEndlessFor,
    'no-own-format': noOwnFormat,
  },
};
