import { memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';

const plugins = [remarkGfm];

/** Functions that stay the same: with new ones, each drawing would replace the links, and a focused one lose the focus. */
const components: Components = {
  a: ({ href, children }) => (
    <a href={href} rel="noreferrer noopener" target="_blank">
      {children}
    </a>
  ),
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
