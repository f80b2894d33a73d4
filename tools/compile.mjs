// First step of the build: what `tsc -p tsconfig.build.json` does, with loops over lists (`for (const x of list)`) written out as loops
// over indices. The first program of a process is compiled by code that V8 has not compiled itself yet, and there each step of an
// iterator is a call that makes an object: a third of all garbage. Optimised code is the same either way.

import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const { factory } = ts;

/** Arrays, tuples and typed arrays: what an index reads in the order of its iterator. */
function isList(checker, type) {
  if (type.isUnion()) return type.types.every((each) => isList(checker, each));
  const constraint = checker.getBaseConstraintOfType(type) ?? type;
  if (constraint !== type) return isList(checker, constraint);
  return checker.isArrayType(type) || checker.isTupleType(type) || /^\w+\dArray$/.test(type.symbol?.name ?? '');
}

/** The same loop over indices. The length is read at each step, as an iterator does it. */
function indexLoop(loop, list, body) {
  const { initializer } = loop;
  const listName = factory.createUniqueName('list');
  const index = factory.createUniqueName('at');
  const variable = (name, value) => factory.createVariableDeclaration(name, undefined, undefined, value);
  const element = factory.createElementAccessExpression(listName, index);
  const constant = factory.createVariableDeclarationList(
    [variable(initializer.declarations[0].name, element)],
    initializer.flags,
  );
  const statements = ts.isBlock(body) ? body.statements : [body];
  const written = factory.createForStatement(
    factory.createVariableDeclarationList(
      [variable(index, factory.createNumericLiteral(0)), variable(listName, list)],
      ts.NodeFlags.Let,
    ),
    factory.createLessThan(index, factory.createPropertyAccessExpression(listName, 'length')),
    factory.createPostfixIncrement(index),
    factory.createBlock([factory.createVariableStatement(undefined, constant), ...statements], true),
  );
  return ts.setTextRange(written, loop);
}

/** A transformer of the compiler. */
function writeLoopsOut(checker) {
  return (context) => (file) => {
    const visit = (node) => {
      const copy = ts.visitEachChild(node, visit, context);
      if (!ts.isForOfStatement(node) || node.awaitModifier || !ts.isVariableDeclarationList(node.initializer))
        return copy;
      if (!isList(checker, checker.getTypeAtLocation(node.expression))) return copy;
      return indexLoop(copy, copy.expression, copy.statement);
    };
    return ts.visitNode(file, visit);
  };
}

const host = {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic({ messageText }) {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  },
};
const project = fileURLToPath(new URL('../tsconfig.build.json', import.meta.url));
const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(project, {}, host);
const program = ts.createProgram(fileNames, options);
const { diagnostics } = program.emit(undefined, undefined, undefined, false, {
  before: [writeLoopsOut(program.getTypeChecker())],
});
const faults = [...errors, ...ts.getPreEmitDiagnostics(program), ...diagnostics];
if (faults.length > 0) {
  const format = { ...host, getNewLine: () => '\n', getCanonicalFileName: (name) => name };
  format.getCurrentDirectory = () => dirname(project);
  console.error(ts.formatDiagnostics(faults, format));
  process.exitCode = 1;
}
