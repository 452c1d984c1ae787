import { parseSync } from '@swc/core';

/** A finding in a source file, by its line. */
export interface CodeFinding {
  readonly line: number;
  readonly text: string;
}

/** What one source file says of keys and of words. */
export interface CodeReading {
  /** Every string literal: a literal that equals a key counts as a use of the key. */
  readonly literals: ReadonlySet<string>;
  /** Keys given to the translate function as literals. */
  readonly keys: readonly CodeFinding[];
  /** Keys put together with a template, as patterns: `^status\.[^.]+\.name$`. */
  readonly patterns: readonly CodeFinding[];
  /** Words that a voter would see or hear without them coming from the text files. */
  readonly words: readonly CodeFinding[];
}

interface Node {
  readonly type: string;
  readonly span?: { readonly start: number };
  readonly [field: string]: unknown;
}

const translateNames = new Set(['t', 'translate']);
const spokenProps =
  /^(aria-(label|description|valuetext|roledescription|placeholder)|title|placeholder|alt|label|legend|hint|heading|caption|message|summary|text)$/;
const hasWords = /\p{L}{2}/u;
const markupWithWords =
  /<(p|h[1-6]|li|button|a|span|strong|label|title|noscript)\b[^>]*>[^<]*\p{L}{2}/u;

/**
 * Reads a TypeScript file for its use of texts.
 *
 * @param isScreen whether words in it reach a voter's screen: only then are they findings.
 */
export function readCode(file: string, source: string, isScreen: boolean): CodeReading {
  const literals = new Set<string>();
  const keys: CodeFinding[] = [];
  const patterns: CodeFinding[] = [];
  const words: CodeFinding[] = [];
  const bytes = Buffer.from(source);
  const tree = parseSync(source, {
    syntax: 'typescript',
    tsx: file.endsWith('x'),
    target: 'es2024',
  });

  const at = (node: Node, text: string): CodeFinding => ({
    line: bytes
      .subarray(0, Math.max(0, (node.span?.start ?? 1) - 1))
      .toString()
      .split('\n').length,
    text,
  });
  const say = (node: Node, text: string) => {
    if (isScreen && hasWords.test(text)) words.push(at(node, text.trim()));
  };

  walk(tree as unknown as Node, (node) => {
    if (node.type === 'StringLiteral') {
      literals.add(String(node.value));
      if (markupWithWords.test(String(node.value))) say(node, String(node.value));
    } else if (node.type === 'TemplateLiteral') {
      const pattern = toKeyPattern(node);
      if (pattern !== undefined) patterns.push(at(node, pattern));
      const text = quasisOf(node).join(' ');
      if (markupWithWords.test(text)) say(node, text);
    } else if (node.type === 'CallExpression') {
      const argument = (node.arguments as { expression: Node }[])[0]?.expression;
      if (translateNames.has(nameOf(node.callee as Node)))
        for (const key of literalsOf(argument)) keys.push(at(node, key));
    } else if (node.type === 'JSXText') say(node, String(node.value));
    else if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
      for (const child of node.children as Node[])
        if (child.type === 'JSXExpressionContainer')
          for (const text of literalsOf(child.expression as Node)) say(child, text);
    } else if (node.type === 'JSXAttribute') {
      const value = node.value as Node | null;
      if (value !== null && spokenProps.test(attributeName(node)))
        for (const text of literalsOf(value)) say(node, text);
    } else if (node.type === 'AssignmentExpression') {
      if (nameOf(node.left as Node) === 'title')
        for (const text of literalsOf(node.right as Node)) say(node, text);
    }
  });
  return { literals, keys, patterns, words };
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const item of node) walk(item, visit);
    return;
  }
  if ('type' in node && typeof node.type === 'string') visit(node as Node);
  for (const value of Object.values(node)) walk(value, visit);
}

/** Texts an expression can come to: a literal, either side of a condition, the default of another value. */
function literalsOf(node: Node | undefined): string[] {
  switch (node?.type) {
    case 'StringLiteral':
      return [String(node.value)];
    case 'TemplateLiteral':
      return (node.expressions as Node[]).length === 0
        ? quasisOf(node)
        : quasisOf(node).filter((text) => hasWords.test(text) && /\s/.test(text));
    case 'JSXExpressionContainer':
    case 'ParenthesisExpression':
      return literalsOf(node.expression as Node);
    case 'ConditionalExpression':
      return [...literalsOf(node.consequent as Node), ...literalsOf(node.alternate as Node)];
    case 'BinaryExpression':
      return ['||', '&&', '??', '+'].includes(String(node.operator))
        ? [...literalsOf(node.left as Node), ...literalsOf(node.right as Node)]
        : [];
    default:
      return [];
  }
}

function quasisOf(node: Node): string[] {
  return (node.quasis as { cooked: string | null; raw: string }[]).map(
    ({ cooked, raw }) => cooked ?? raw,
  );
}

/** A template whose head looks like a key's first part; undefined for any other. */
function toKeyPattern(node: Node): string | undefined {
  const [head = '', ...rest] = quasisOf(node);
  if (rest.length === 0 || !/^[a-z][\w-]*\.[\w.-]*$/i.test(head)) return undefined;
  if (rest.some((piece) => /[^\w.-]/.test(piece))) return undefined;
  return `^${[head, ...rest].map((piece) => piece.replaceAll('.', '\\.')).join('[^.]+')}$`;
}

function nameOf(node: Node): string {
  if (node.type === 'Identifier') return String(node.value);
  if (node.type === 'MemberExpression') return nameOf(node.property as Node);
  return '';
}

function attributeName(node: Node): string {
  const name = node.name as Node;
  return name.type === 'Identifier' ? String(name.value) : '';
}
