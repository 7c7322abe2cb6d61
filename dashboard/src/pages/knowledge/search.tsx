import { useDeferredValue } from 'react';
import type { Output } from '../../api/call.ts';
import { useTool, useToolPages } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Answer, Badge, Empty, Note } from '../../kit/feedback.tsx';
import { Choice, SearchField } from '../../kit/form.tsx';
import { useLinkKeys } from '../../kit/link-keys.ts';
import { Markdown } from '../../kit/markdown.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { sayError } from '../../kit/toast.tsx';
import { Highlight } from './highlight.tsx';
import { KnowledgeFrame } from './knowledge-frame.tsx';
import { PageLink, shippedLibrary, toVersionName } from './page-link.tsx';

type Hit = Output<'search_docs'>['results'][number];

const pageCount = 10;
/** Enough for the passages of one page of results. */
const passageTokens = 6_000;

const modes = [
  { value: '', label: 'Words and meaning' },
  { value: 'words', label: 'Words only' },
  { value: 'meaning', label: 'Meaning only' },
] as const;

const percent = (ratio: number): string => `${Math.round(ratio * 100)} %`;

/** Why the section was found. */
function Reason({ why }: { readonly why: NonNullable<Hit['why']> }) {
  const { words, meaning } = why;
  return (
    <p className="soft">
      {words.length > 0 && (
        <>
          Found by {words.length === 1 ? 'the word' : 'the words'} {words.join(', ')}.{' '}
        </>
      )}
      {meaning !== undefined && <>Its meaning is {percent(meaning)} similar.</>}
      {words.length === 0 && meaning === undefined && 'Found by a part of a word.'}
    </p>
  );
}

function Result({ hit }: { readonly hit: Hit }) {
  const { library = shippedLibrary, version, title, breadcrumb, snippet, text, cut, why, relevance, source } = hit;
  const place = { library, version, page: source.path, section: title };
  return (
    <li className="hit">
      <div className="row wrap">
        <h2>
          <PageLink place={place}>{title}</PageLink>
        </h2>
        <Badge>
          {library} {toVersionName(version)}
        </Badge>
        <span className="soft push">{percent(relevance)} relevant</span>
      </div>
      <p className="soft">{breadcrumb}</p>
      <p dir="auto">
        <Highlight text={snippet} words={why?.words ?? []} />
      </p>
      {why && <Reason why={why} />}
      {text !== undefined && (
        <details>
          <summary>Show the passage{cut && ', which is cut'}</summary>
          <Markdown text={text} />
        </details>
      )}
    </li>
  );
}

function useResults(query: string, library: string, version: string, mode: string) {
  const isAsked = query.trim() !== '';
  const pages = useToolPages(
    'search_docs',
    {
      ...{ query, limit: pageCount, explain: true, max_tokens: passageTokens, version: 'all' as const },
      ...(library !== '' && { library: version === '' ? library : `${library}@${version}` }),
      ...((mode === 'words' || mode === 'meaning') && { mode }),
    },
    ({ next_cursor }) => (next_cursor === undefined ? undefined : { cursor: next_cursor }),
    { enabled: isAsked, keepsPrevious: true },
  );
  /** The order of the results changes while new docs are prepared for search by meaning: then the list begins again. */
  async function showMore() {
    if (!(await pages.fetchNextPage()).isError) return;
    await pages.refetch();
    const { error, isError } = await pages.fetchNextPage();
    if (isError) sayError(error);
  }
  return { pages, isAsked, showMore };
}

export function Page() {
  const [{ q = '', library = '', version = '', mode = '' }, setSearch] = useSearchState();
  const { pages, isAsked, showMore } = useResults(useDeferredValue(q), library, version, mode);
  const known = useTool('knowledge_pages', {});
  const libraries = known.data?.libraries ?? [];
  const names = [...new Set(libraries.map((one) => one.library))].sort();
  const versions = libraries.filter((one) => one.library === library).map((one) => one.version);
  useLinkKeys('Results');
  const first = pages.data?.pages[0];
  const hits = pages.data?.pages.flatMap(({ results }) => results);
  return (
    <KnowledgeFrame>
      <Frame title="Search the docs" answer="Passages that answer a question, and why each was found.">
        <div className="row wrap">
          <SearchField label="Search the docs" value={q} onChange={(text) => setSearch({ q: text }, 'replace')} />
          <Choice
            label="Library"
            value={library}
            onChange={(value) => setSearch({ library: value, version: undefined })}
            choices={[{ value: '', label: 'All libraries' }, ...names.map((name) => ({ value: name, label: name }))]}
          />
          {versions.length > 1 && (
            <Choice
              label="Version"
              value={version}
              onChange={(value) => setSearch({ version: value })}
              choices={[
                { value: '', label: 'Newest version' },
                ...versions.map((one) => ({ value: one, label: toVersionName(one) })),
              ]}
            />
          )}
          <Choice label="Ranking" value={mode} onChange={(value) => setSearch({ mode: value })} choices={modes} />
        </div>
        {isAsked ? (
          <Answer of={{ ...pages, data: hits }} what="Searching">
            {(list) => (
              <>
                {first?.hint && list.length > 0 && <Note>{first.hint}</Note>}
                {list.length === 0 ? (
                  <Empty title={first?.hint ?? 'Nothing was found.'} />
                ) : (
                  <ol className="hits" aria-label="Results" data-links="h2 a">
                    {list.map((hit) => (
                      <Result key={hit.id} hit={hit} />
                    ))}
                  </ol>
                )}
              </>
            )}
          </Answer>
        ) : (
          <Empty title="Ask a question or type a name." example="around hooks" />
        )}
        {pages.hasNextPage && (
          <div>
            <Button disabled={pages.isFetching} onClick={() => void showMore()}>
              Show more results
            </Button>
          </div>
        )}
      </Frame>
    </KnowledgeFrame>
  );
}
