import { memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { HighlightedCode } from './code.tsx';

const plugins = [remarkGfm];

/** For code in other languages nothing is loaded. */
const coloured = /^language-(js|javascript|jsx|ts|typescript|tsx|json|py|python)$/;
/** Each part with a colour is an element: those of a long text would stop the browser. */
const colouredChars = 20_000;

/** Functions that stay the same: with new ones, each drawing would replace the links, and a focused one lose the focus. */
const components: Components = {
  a: ({ href, children }) => (
    <a href={href} rel="noreferrer noopener" target="_blank">
      {children}
    </a>
  ),
  code: ({ className, children }) => {
    const [, language] = coloured.exec(className ?? '') ?? [];
    return language !== undefined && typeof children === 'string' && children.length <= colouredChars ? (
      <HighlightedCode text={children} language={language} />
    ) : (
      <code className={className}>{children}</code>
    );
  },
  // A task of a list: the only input that Markdown can contain.
  input: ({ checked }) => (
    <span role="img" aria-label={checked ? 'done' : 'open'}>
      {checked ? '☑' : '☐'}
    </span>
  ),
  img: ({ alt, src }) => <span className="soft">[picture: {alt || src}]</span>,
};

interface MarkdownProps {
  readonly text: string;
  /** For links inside of the docs; it must stay the same from one drawing to the next. */
  readonly link?: (props: { readonly href?: string | undefined; readonly children?: ReactNode }) => ReactNode;
}

/** Stored Markdown. HTML in it shows as text, and links run no script. Pictures of other servers are not loaded. */
export const Markdown = memo(({ text, link }: MarkdownProps) => (
  <div className="markdown prose">
    <ReactMarkdown remarkPlugins={plugins} components={link ? { ...components, a: link } : components}>
      {text}
    </ReactMarkdown>
  </div>
));
