import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';

/** Stored Markdown. HTML in it shows as text, and links run no script. Pictures of other servers are not loaded. */
export const Markdown = ({ text }: { readonly text: string }) => (
  <div className="markdown prose">
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      components={{
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
      }}
    >
      {text}
    </ReactMarkdown>
  </div>
);
