import { useDeferredValue } from 'react';
import { useTool } from '../../api/use-tool.ts';
import { Answer, Badge, Empty, Note } from '../../kit/feedback.tsx';
import { AddressArea, AddressField } from '../../kit/form.tsx';
import { Markdown } from '../../kit/markdown.tsx';
import { Page as Frame, Section } from '../../kit/page.tsx';
import { type SearchState, useSearchState } from '../../kit/search-state.ts';
import { DropZone } from './drop-zone.tsx';
import { InstructionsFrame, RuleLink } from './nav.tsx';
import { countRules, type Requirement, RequirementBadge } from './rule-facts.tsx';

const toList = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 200);

function toInput({ task, files, languages, tools, workspace }: SearchState) {
  const lists = { files: toList(files), languages: toList(languages), tools: toList(tools) };
  return {
    preview: true,
    ...(task?.trim() && { task: task.slice(0, 4_000) }),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    ...(workspace && { workspaceId: workspace }),
  };
}

interface GivenRuleProps {
  readonly id: string;
  readonly title: string;
  readonly requirement: Requirement;
  readonly reasons: readonly string[];
  readonly body: string | undefined;
}

const GivenRule = ({ id, title, requirement, reasons, body }: GivenRuleProps) => (
  <article className="rule-item" aria-label={title}>
    <header>
      <RuleLink id={id}>{title}</RuleLink>
      <RequirementBadge requirement={requirement} />
    </header>
    <div className="chips">
      <span className="soft">because</span>
      {reasons.map((reason) => (
        <span className="chip" key={reason}>
          <bdi>{reason}</bdi>
        </span>
      ))}
    </div>
    {body === undefined ? (
      <p className="soft">The text does not fit into the answer; an agent reads it with instructions_get.</p>
    ) : (
      <details>
        <summary>Text</summary>
        <Markdown text={body.slice(0, 20_000)} />
      </details>
    )}
  </article>
);

function Situation() {
  const [search, setSearch] = useSearchState();
  const set = (changes: SearchState) => setSearch(changes, 'replace');
  return (
    <form className="stack" aria-label="Situation" onSubmit={(event) => event.preventDefault()}>
      <AddressArea
        label="Task"
        placeholder="Roll out version 2.3 to production"
        data-filter=""
        maxLength={4_000}
        value={search['task'] ?? ''}
        onText={(task) => set({ task })}
      />
      <DropZone
        onFiles={(files) => set({ files: [...toList(search['files']), ...files.map(({ name }) => name)].join('\n') })}
      >
        <AddressArea
          label="Files, one per line"
          hint="Or drop files here: only their names are used."
          placeholder="src/server.ts"
          value={search['files'] ?? ''}
          onText={(files) => set({ files })}
        />
      </DropZone>
      <div className="form-grid">
        <AddressField
          label="Languages"
          placeholder="typescript, sql"
          value={search['languages'] ?? ''}
          onText={(languages) => set({ languages })}
        />
        <AddressField label="Tools" value={search['tools'] ?? ''} onText={(tools) => set({ tools })} />
        <AddressField label="Workspace" value={search['workspace'] ?? ''} onText={(workspace) => set({ workspace })} />
      </div>
    </form>
  );
}

function Result() {
  const [search] = useSearchState();
  const input = useDeferredValue(JSON.stringify(toInput(search)));
  const told = useTool('instructions_applicable', JSON.parse(input) as object, { keepsPrevious: true });
  return (
    <Answer of={told}>
      {({ items, may_apply = [], others = [], count, leftOut, hint }) => (
        <div className="stack" aria-live="polite">
          <Section title={`Applies: ${countRules(count)}`}>
            {items.length === 0 && <Empty title="No rule applies to this situation by its conditions." />}
            {items.map((rule) => (
              <GivenRule key={rule.id} {...rule} body={rule.body} />
            ))}
            {leftOut && <Note tone="attention">{leftOut}</Note>}
          </Section>
          {may_apply.length > 0 && (
            <Section title={`May apply: ${countRules(may_apply.length)}`}>
              {may_apply.map((rule) => (
                <GivenRule key={rule.id} {...rule} body={rule.body} reasons={[rule.reason]} />
              ))}
            </Section>
          )}
          {others.length > 0 && (
            <Section title="Less likely, named only">
              <div className="chips">
                {others.map((id) => (
                  <Badge key={id}>
                    <RuleLink id={id} />
                  </Badge>
                ))}
              </div>
            </Section>
          )}
          {hint && <p className="soft">{hint}</p>}
        </div>
      )}
    </Answer>
  );
}

export const Page = () => (
  <InstructionsFrame>
    <Frame
      title="What would an agent be told?"
      answer="Describe a situation: this is exactly what instructions_applicable answers. Nothing is counted as served."
    >
      <div className="two-columns">
        <Situation />
        <Result />
      </div>
    </Frame>
  </InstructionsFrame>
);
