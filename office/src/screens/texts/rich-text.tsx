import { Node } from '@tiptap/core';
import { Blockquote } from '@tiptap/extension-blockquote';
import { Bold } from '@tiptap/extension-bold';
import { Document } from '@tiptap/extension-document';
import { HardBreak } from '@tiptap/extension-hard-break';
import { Heading } from '@tiptap/extension-heading';
import { HorizontalRule } from '@tiptap/extension-horizontal-rule';
import { Italic } from '@tiptap/extension-italic';
import { Link } from '@tiptap/extension-link';
import { BulletList, ListItem, ListKeymap, OrderedList } from '@tiptap/extension-list';
import { Paragraph } from '@tiptap/extension-paragraph';
import { Text } from '@tiptap/extension-text';
import { Underline } from '@tiptap/extension-underline';
import { Gapcursor, TrailingNode, UndoRedo } from '@tiptap/extensions';
import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react';
import { useEffect } from 'react';
import { Button } from '../../../../web/src/ui/button.tsx';
import { t } from '../../words/index.ts';

/** A question with its answer, which opens on the voter's page. In the editor it is open. */
const Details = Node.create({
  name: 'details',
  group: 'block',
  content: 'summary block+',
  defining: true,
  parseHTML: () => [{ tag: 'details' }],
  renderHTML: () => ['details', 0],
  addNodeView: () => () => {
    const box = document.createElement('div');
    box.className = 'editor-question';
    return { dom: box, contentDOM: box };
  },
});
const Summary = Node.create({
  name: 'summary',
  content: 'inline*',
  defining: true,
  parseHTML: () => [{ tag: 'summary' }],
  renderHTML: () => ['summary', 0],
  addNodeView: () => () => {
    const line = document.createElement('p');
    line.className = 'editor-summary';
    return { dom: line, contentDOM: line };
  },
});

/** One by one and in the order of TipTap's starter kit, which would bring code and struck text along. */
const extensions = [
  ...[Bold, Blockquote, BulletList, Document, Gapcursor, HardBreak],
  Heading.configure({ levels: [2, 3, 4] }),
  ...[UndoRedo, HorizontalRule, Italic, ListItem, ListKeymap],
  Link.configure({ openOnClick: false, HTMLAttributes: { target: null, rel: null } }),
  ...[OrderedList, Paragraph, Text, Underline, TrailingNode],
  Details,
  Summary,
];

/** A text as voters see it, to be written without HTML. Loaded only where somebody writes. */
export default function RichText({
  label,
  html,
  lang,
  dir,
  onChange,
  onLossy,
}: {
  readonly label: string;
  /** What it begins with. */
  readonly html: string;
  readonly lang: string;
  readonly dir: 'ltr' | 'rtl';
  readonly onChange: (html: string) => void;
  /** The text has parts that would be lost here. */
  readonly onLossy: () => void;
}) {
  const editor = useEditor({
    extensions,
    content: html,
    // The console's policy allows no inline style sheet.
    injectCSS: false,
    editorProps: {
      attributes: {
        ...{ role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, lang, dir },
        class: 'field-input editor-text',
      },
    },
    onUpdate: ({ editor: changed }) => onChange(changed.isEmpty ? '' : changed.getHTML()),
  });
  const isLossy = losesTags(html, editor.getHTML());
  useEffect(() => {
    if (isLossy) onLossy();
  }, [isLossy, onLossy]);
  return (
    <div className="editor">
      <Tools editor={editor} />
      <EditorContent editor={editor} />
    </div>
  );
}

function Tools({ editor }: { readonly editor: Editor }) {
  const active = useEditorState({
    editor,
    selector: () => ({
      bold: editor.isActive('bold'),
      italic: editor.isActive('italic'),
      heading: editor.isActive('heading'),
      bullets: editor.isActive('bulletList'),
      numbers: editor.isActive('orderedList'),
      link: editor.isActive('link'),
    }),
  });
  const on = () => editor.chain().focus();
  const setLink = () => {
    if (active.link) return on().unsetLink().run();
    const href = window.prompt(t('editor.link.address'), 'https://');
    return href ? on().setLink({ href }).run() : false;
  };
  const question = {
    type: 'details',
    content: [{ type: 'summary' }, { type: 'paragraph' }],
  };
  const tools = [
    { name: 'bold', run: () => on().toggleBold().run() },
    { name: 'italic', run: () => on().toggleItalic().run() },
    { name: 'heading', run: () => on().toggleHeading({ level: 2 }).run() },
    { name: 'bullets', run: () => on().toggleBulletList().run() },
    { name: 'numbers', run: () => on().toggleOrderedList().run() },
    { name: 'link', run: setLink },
  ] as const;
  return (
    <fieldset className="buttons editor-tools" aria-label={t('editor.tools')}>
      {tools.map(({ name, run }) => (
        <Button key={name} look="quiet" aria-pressed={active[name]} onClick={run}>
          {t(name === 'link' && active.link ? 'editor.unlink' : `editor.${name}`)}
        </Button>
      ))}
      <Button look="quiet" onClick={() => on().insertContent(question).run()}>
        {t('editor.question')}
      </Button>
      <Button look="quiet" onClick={() => on().undo().run()}>
        {t('editor.undo')}
      </Button>
    </fieldset>
  );
}

/** Whether the second text lacks an element of the first. */
function losesTags(before: string, after: string): boolean {
  const tagsOf = (html: string) => {
    const { body } = new DOMParser().parseFromString(html, 'text/html');
    const alike: Record<string, string> = { b: 'strong', i: 'em' };
    const names = [...body.querySelectorAll('*')].map(({ localName }) => localName);
    return new Set(names.map((name) => alike[name] ?? name));
  };
  const kept = tagsOf(after);
  return [...tagsOf(before)].some((tag) => !kept.has(tag));
}
