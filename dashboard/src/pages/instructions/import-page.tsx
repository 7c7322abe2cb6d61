import { Link } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { callTool, type Output } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useToolAction } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Badge, Empty, ErrorNote, Note } from '../../kit/feedback.tsx';
import { Choice, TextField } from '../../kit/form.tsx';
import { Page as Frame, Section } from '../../kit/page.tsx';
import { plural } from '../../kit/plural.ts';
import { DropZone } from './drop-zone.tsx';
import { InstructionsFrame, RuleLink } from './nav.tsx';
import { AppliesWhen, countRules } from './rule-facts.tsx';

type Report = Output<'instructions_import_texts'>;

interface SentFile {
  readonly path: string;
  readonly text: string;
}

const maxCount = 200;
const maxBytes = 4 * 1024 * 1024;

/** Of a chosen folder, the path below it. */
const pathOf = (file: File): string => file.webkitRelativePath.split('/').slice(1).join('/') || file.name;

async function readFiles(files: readonly File[]): Promise<readonly SentFile[]> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length > maxCount) throw new Error(`At most ${maxCount} files at a time. Choose fewer.`);
  if (bytes > maxBytes) throw new Error('These files are larger than 4 MB together. Choose rule files only.');
  return Promise.all(files.map(async (file) => ({ path: pathOf(file), text: await file.text() })));
}

const stateTones = { new: 'accent', same: undefined, differs: 'attention' } as const;
const stateTexts = { new: 'new', same: 'already there', differs: 'differs from the catalog' } as const;

const PreviewReport = ({ report }: { readonly report: Report }) => (
  <>
    <Section title={`${countRules(report.found)} in ${plural(report.files, 'file')}`}>
      {report.rules.length === 0 && <Empty title="No rule was found in these files." />}
      {report.rules.map((rule) => (
        <article className="rule-item" key={rule.id} aria-label={rule.title}>
          <header>
            <strong>
              <bdi>{rule.title}</bdi>
            </strong>
            <Badge tone={stateTones[rule.state]}>{stateTexts[rule.state]}</Badge>
            {rule.candidate && <Badge tone="attention">sounds mandatory</Badge>}
            <span className="soft mono">
              <bdi>{rule.source}</bdi>
            </span>
          </header>
          <AppliesWhen appliesTo={rule.appliesTo} requirement={rule.requirement} />
          <p className="prose soft" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {rule.text}
          </p>
        </article>
      ))}
      {report.found > report.rules.length && (
        <p className="soft">and {countRules(report.found - report.rules.length)} more</p>
      )}
    </Section>
    {report.warnings.map((warning) => (
      <Note tone="attention" key={warning}>
        {warning}
      </Note>
    ))}
    {report.errors.map(({ index, id, error }) => (
      <Note tone="danger" key={index}>
        <strong>{id}</strong>
        <span>{error}</span>
      </Note>
    ))}
    {report.skippedCount > 0 && (
      <Section title={`Left out: ${report.skippedCount}`}>
        <ul>
          {report.skipped.map(({ source, reason }) => (
            <li key={`${source} ${reason}`}>
              <bdi className="mono">{source}</bdi>: {reason}
            </li>
          ))}
        </ul>
      </Section>
    )}
  </>
);

const modes = [
  { value: 'skip', label: 'Keep rules that are already there' },
  { value: 'overwrite', label: 'Replace rules that are already there' },
] as const;

function Done({ report }: { readonly report: Report }) {
  const first = report.rules[0];
  return (
    <Note tone="ok">
      <strong>
        {report.proposed
          ? `${countRules(report.proposed)} proposed: an administrator decides.`
          : `${countRules(report.imported)} imported, ${report.overwritten} replaced, ${report.kept} kept.`}
      </strong>
      <span className="row wrap">
        <Link to="/instructions/-/tester">See what an agent is told now</Link>
        {first && !report.proposed && <RuleLink id={first.id}>Open the first rule</RuleLink>}
      </span>
    </Note>
  );
}

interface Preview {
  readonly input: object;
  readonly report: Report;
}

/** What an import would do. It belongs to one input: until it is there for the present one, nothing can be imported. */
function usePreview(input: object | undefined, onError: (error: unknown) => void): Report | undefined {
  const [preview, setPreview] = useState<Preview>();
  const report = useRef(onError);
  report.current = onError;
  useEffect(() => {
    if (input === undefined) return undefined;
    const stop = new AbortController();
    callTool('instructions_import_texts', { ...input, dryRun: true } as never, stop.signal).then(
      (answer) => setPreview({ input, report: answer }),
      (error: unknown) => stop.signal.aborted || report.current(error),
    );
    return () => stop.abort();
  }, [input]);
  return preview?.input === input ? preview?.report : undefined;
}

function nameOf(preview: Report | undefined, canDecide: boolean): string {
  if (preview === undefined) return 'Reading…';
  return `${canDecide ? 'Import' : 'Propose'} ${countRules(preview.found)}`;
}

function Import() {
  const chooser = useRef<HTMLInputElement>(null);
  const [files, setFiles] = useState<readonly SentFile[]>([]);
  const [done, setDone] = useState<Report>();
  const [error, setError] = useState<unknown>();
  const [typedProject, setProject] = useState('');
  const [mode, setMode] = useState('skip');
  const project = useDeferredValue(typedProject.trim());
  const input = useMemo(
    () => (files.length === 0 ? undefined : { files, mode, ...(project && { project }) }),
    [files, mode, project],
  );
  const preview = usePreview(input, setError);
  const run = useToolAction('instructions_import_texts');
  const canDecide = useCan('admin');

  function clear() {
    setFiles([]);
    if (chooser.current) chooser.current.value = '';
  }
  function show(chosen: readonly File[]) {
    setDone(undefined);
    setError(undefined);
    readFiles(chosen).then(setFiles, setError);
  }
  function importAll() {
    setError(undefined);
    run.mutateAsync(input as never).then((report) => {
      setDone(report);
      clear();
    }, setError);
  }
  return (
    <>
      <DropZone onFiles={show}>
        <p>
          Drop AGENTS.md, CLAUDE.md, .cursorrules, Cursor .mdc, copilot-instructions.md or SKILL.md here. Nothing is
          stored before you have seen what would be imported.
        </p>
        <input
          ref={chooser}
          type="file"
          multiple
          aria-label="Rule files"
          onChange={(event) => show([...(event.target.files ?? [])])}
        />
        <TextField
          label="Project"
          hint="Rules of files with the same name are kept apart by project."
          placeholder="uploaded"
          maxLength={200}
          value={typedProject}
          onChange={(event) => setProject(event.target.value)}
        />
      </DropZone>
      {error !== undefined && <ErrorNote error={error} />}
      {done && <Done report={done} />}
      {input && (
        <div className="row wrap">
          <Choice label="Rules that are already there" choices={modes} value={mode} onChange={setMode} />
          <Button kind="primary" disabled={!preview?.found || run.isPending} onClick={importAll}>
            {run.isPending ? 'Importing…' : nameOf(preview, canDecide)}
          </Button>
          <Button onClick={clear}>Cancel</Button>
        </div>
      )}
      {preview && <PreviewReport report={preview} />}
    </>
  );
}

export function Page() {
  const canWrite = useCan('write');
  return (
    <InstructionsFrame>
      <Frame
        title="Import rule files"
        answer="Rules keep the meaning they have in their own tools: always, by file, by folder."
      >
        {canWrite ? (
          <Import />
        ) : (
          <Empty title="Your key may only read. A key with the scope write can propose rules." />
        )}
      </Frame>
    </InstructionsFrame>
  );
}
